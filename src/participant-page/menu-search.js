// Searches the long menus of a page by what is typed above them. Without this script, they are plain menus.

for (const search of document.querySelectorAll(".menu-search")) {
  const menu = search.parentElement;
  const field = search.querySelector("input");
  const found = search.querySelector("[data-found]");
  const select = menu.querySelector("select");
  const all = [...select.options];
  const last = all.at(-1).value === "write-in" ? all.at(-1) : undefined;
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map(all.map((option) => [option, fold(option.text)]));
  let matches = all;

  const show = (options) => {
    const { value } = select;
    select.replaceChildren(...options);
    select.value = value;
  };
  const end = () => {
    field.value = "";
    found.textContent = "";
    select.removeAttribute("size");
    show(all);
  };

  field.addEventListener("input", () => {
    const words = fold(field.value).split(/\s+/).filter(Boolean);
    if (!words.length) return end();
    matches = all.filter((one) => one.value && one !== last && words.every((word) => texts.get(one).includes(word)));
    const count = matches.length.toLocaleString(document.documentElement.lang);
    found.textContent = found.dataset.found.replace("#", count);
    // What is chosen stays in it: a search changes no answer. So does the option for what is not found.
    show(all.filter((one) => one.value === select.value || one === last || matches.includes(one)));
    select.size = Math.max(2, Math.min(select.length, 8));
  });

  menu.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!field.value || (target !== field && target !== select)) return;
    if (key === "Escape") end();
    else if (key === "Enter" && target === select) end();
    else if ((key === "Enter" || key === "ArrowDown") && target === field) {
      if (matches[0] && (key === "ArrowDown" || matches.length === 1)) {
        matches[0].selected = true;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
      if (key === "Enter" && matches.length === 1) end();
      select.focus();
    } else return;
    event.preventDefault();
  });
  select.addEventListener("click", ({ target }) => {
    if (target !== select && field.value) end();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (field.value && !menu.contains(relatedTarget)) end();
  });
  search.hidden = false;
}
