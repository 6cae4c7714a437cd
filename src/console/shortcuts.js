// Keys that press buttons and follow links: those that a page marks with `data-shortcut`. They can be switched off.

const OFF = "shortcuts-off";
const marked = [...document.querySelectorAll("[data-shortcut]")];

const label = document.createElement("label");
const box = document.createElement("input");
box.type = "checkbox";
box.checked = localStorage.getItem(OFF) === null;
box.addEventListener("change", () => {
  if (box.checked) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "1");
});
const keys = marked.map((one) => `${one.dataset.shortcut} ${one.textContent}`).join(", ");
label.append(box, ` Use the keys: ${keys}`);
label.className = "note shortcuts";
if (marked.length) document.querySelector("main").append(label);

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  if (!box.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const one = marked.find(({ dataset }) => dataset.shortcut === event.key);
  if (!one) return;
  event.preventDefault();
  one.click();
});
