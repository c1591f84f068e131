"use strict";
(() => {
  const form = document.querySelector("form.filters");
  const findings = [...document.querySelectorAll("article.finding")];
  const groups = [...document.querySelectorAll("section.file"), ...document.querySelectorAll("section.tier")];
  const none = document.querySelector("p.none");
  const total = findings.length;
  const apply = () => {
    const wanted = new FormData(form);
    const tiers = new Set(wanted.getAll("tier"));
    const least = Number(wanted.get("severity"));
    const rule = wanted.get("rule");
    const file = wanted.get("file").trim().toLowerCase();
    let shown = 0;
    for (const finding of findings) {
      const { dataset } = finding;
      const fits = tiers.has(dataset.tier) && Number(dataset.severity) >= least
        && (!rule || dataset.rule === rule) && (!file || dataset.file.toLowerCase().includes(file));
      finding.hidden = !fits;
      shown += fits;
    }
    for (const group of groups) {
      const left = group.querySelectorAll("article.finding:not([hidden])").length;
      group.hidden = left === 0;
      const count = group.querySelector("h2 small");
      if (count) count.textContent = `${left.toLocaleString("en")} ${left === 1 ? "finding" : "findings"}`;
    }
    none.hidden = shown > 0 || total === 0;
    form.elements.count.value = `${shown.toLocaleString("en")} of ${total.toLocaleString("en")} shown`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = total === 0;
  apply();
})();
