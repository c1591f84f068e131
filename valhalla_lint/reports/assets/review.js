"use strict";
// Two conveniences over a page that is whole without them: answers by outcome, and the neighbours of a package.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  for (const button of all(".filters button")) {
    button.addEventListener("click", () => {
      const wanted = button.dataset.show;
      for (const other of all(".filters button")) other.setAttribute("aria-pressed", String(other === button));
      for (const answer of all(".answers > details")) {
        answer.classList.toggle("hide", wanted !== "all" && !answer.dataset.kind.split(" ").includes(wanted));
      }
      for (const part of all(".answers")) {
        const empty = all(":scope > details:not(.hide)", part).length === 0;
        part.classList.toggle("hide", empty);
        part.nextElementSibling.classList.toggle("hide", !empty);
      }
    });
  }

  const picture = document.querySelector(".picture svg");
  const about = document.getElementById("about");
  if (!picture || !about) return;
  const silent = about.textContent;
  let chosen = null;
  const choose = (node) => {
    chosen = chosen === node ? null : node;
    picture.classList.toggle("chosen", chosen !== null);
    for (const item of all(".node", picture)) item.setAttribute("aria-pressed", String(item === chosen));
    for (const item of all(".near", picture)) item.classList.remove("near");
    if (chosen === null) { about.textContent = silent; return; }
    const name = chosen.dataset.name;
    const to = [], from = [];
    chosen.classList.add("near");
    for (const edge of all(".edge", picture)) {
      const { source, target } = edge.dataset;
      if (source !== name && target !== name) continue;
      edge.classList.add("near");
      const other = source === name ? target : source;
      (source === name ? to : from).push(other);
      all(".node", picture).find((item) => item.dataset.name === other)?.classList.add("near");
    }
    about.textContent = `${name} (${chosen.dataset.about}). Imports: ${to.join(", ") || "none"}. Imported by: ${from.join(", ") || "none"}.`;
  };
  for (const node of all(".node", picture)) {
    node.addEventListener("click", () => choose(node));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(node); }
      if (event.key === "Escape" && chosen) choose(chosen);
    });
  }
  // A link to an answer opens it.
  const open = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", open);
  open();
})();
