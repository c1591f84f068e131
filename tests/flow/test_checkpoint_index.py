"""The index of a checkpoint in several files: whoever made it chose the names in it."""

from pathlib import Path

import pytest
from shop import check, codes

INDEX = """
import json
import os

import torch
from huggingface_hub import hf_hub_download


def load(folder, made=None):
    with open(os.path.join(folder, "model.index.json")) as file:
        index = json.load(file)
    {index}
    for name in sorted(set({names})):
        {use}
"""
LOADS = "torch.load(os.path.join(folder, name), weights_only=True)"


@pytest.mark.parametrize(
    ("index", "names", "use", "expected"),
    [
        ("", 'index["weight_map"].values()', LOADS, ["VH201"]),
        ("", 'index.get("weight_map", {}).values()', LOADS, ["VH201"]),
        ('index = index["weight_map"]', "index.values()", "os.remove(os.path.join(folder, name))", ["VH201"]),
        ("", 'index["weight_map"].values()', LOADS.replace("name)", "os.path.basename(name))"), []),
        ("", 'index["layer_sizes"].values()', LOADS, []),
        ('index = {"weight_map": {"a": "model-1.bin"}}', 'index["weight_map"].values()', LOADS, []),
        ("", 'index["weight_map"].values()', "hf_hub_download('shop/model', name)", []),
    ],
)
def test_names_in_the_index_of_a_checkpoint_come_from_whoever_made_it(
    tmp_path: Path, index: str, names: str, use: str, expected: list[str]
) -> None:
    text = INDEX.format(index=index or "pass", names=names, use=use)
    found = check(tmp_path, text)
    assert codes(found) == expected
    assert all("whoever made the checkpoint" in finding.reasons[0] for finding in found)
