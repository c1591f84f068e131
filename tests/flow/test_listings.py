"""What another machine lists: the keys of a bucket, the files of a repository."""

from pathlib import Path

import pytest
from shop import check, codes

TEXT = """
import os

import boto3
from google.cloud import storage
from huggingface_hub import HfApi, hf_hub_download, list_repo_files

s3 = boto3.client("s3")


def mirror(bucket, target):
    {listing}
"""
PAGES = (
    'for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):\n'
    '        for item in page.get("Contents", []):\n            '
)
BLOBS = (
    "for blob in storage.Client().list_blobs(bucket):\n"
    "        blob.download_to_filename(os.path.join(target, blob.name))"
)
SIBLINGS = "for file in HfApi().model_info(bucket).siblings:\n        open(os.path.join(target, file.rfilename), 'wb')"


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        (PAGES + 's3.download_file(bucket, item["Key"], os.path.join(target, item["Key"]))', ["VH201"]),
        (PAGES + 's3.download_file(bucket, item["Key"], os.path.join(target, os.path.basename(item["Key"])))', []),
        (BLOBS, ["VH201"]),
        ("for name in list_repo_files(bucket):\n        open(os.path.join(target, name), 'wb')", ["VH201"]),
        (SIBLINGS, ["VH201"]),
        ("for name in list_repo_files(bucket):\n        hf_hub_download('shop/model', name)", []),
        ("for name in list_repo_files(bucket):\n        hf_hub_download(name, 'config.json')", ["VH401"]),
    ],
)
def test_names_that_another_machine_lists_come_from_it(tmp_path: Path, listing: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, TEXT.format(listing=listing))) == expected
