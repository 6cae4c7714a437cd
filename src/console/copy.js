// Gives what people copy (links, keys, calls) a button that does it. Without it they select the text.

const said = document.createElement("p");
said.className = "unseen";
said.setAttribute("role", "status");
document.body.append(said);

/** @returns whether it is in the clipboard now. Else the text is selected */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    // Browsers let a page write to the clipboard only where it comes by HTTPS, or from this machine.
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  }
}

for (const code of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button-quiet copy";
  button.textContent = `Copy ${code.dataset.copy}`;
  button.addEventListener("click", async () => {
    const isCopied = await copy(code);
    // Said again, it would not be heard: so the text is another one for a moment.
    said.textContent = "";
    await new Promise(requestAnimationFrame);
    said.textContent = isCopied ? "Copied" : "Selected. Copy it with your keyboard.";
    for (const other of document.querySelectorAll(".copied")) other.classList.remove("copied");
    button.classList.toggle("copied", isCopied);
  });
  (code.closest("pre") ?? code).after(" ", button);
}
