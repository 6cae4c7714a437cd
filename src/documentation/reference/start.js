// Starts Swagger UI on the API reference. Credentials are entered once, in the form above it; and what Swagger UI leaves out
// for screen readers and keyboards is added.

const SCHEMES = ["apiKey", "apiSecret", "accessToken"];

const nothing = () => () => null;

const plugin = {
  wrapComponents: {
    // The form above has the credentials, for all operations.
    authorizeBtn: nothing,
    authorizeOperationBtn: nothing,
    // There is one server: the one that this page comes from.
    ServersContainer: nothing,
    // Its headings would be out of order. "Create a webhook endpoint" says what is sent.
    Webhooks: nothing,
    // A link inside the button that opens the operation can't be reached by everyone.
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement("span", null, text),
  },
  fn: {
    /** Searches tags, paths and summaries. Swagger UI's own filter finds only tags, in the same case. */
    opsFilter(taggedOps, phrase) {
      const wanted = phrase.toLowerCase();
      const has = (...texts) => texts.some((text) => text?.toLowerCase().includes(wanted));
      const matches = (op) =>
        has(op.get("path"), op.getIn(["operation", "summary"]), op.getIn(["operation", "operationId"]));
      return taggedOps
        .map((group, tag) => (has(tag) ? group : group.update("operations", (ops) => ops.filter(matches))))
        .filter((group) => group.get("operations").size > 0);
    },
    /**
     * Puts what references name in their place: in one part of the description, when it is opened. Swagger UI's own way reads the whole
     * description each time, which takes seconds. Here no reference leads out of it.
     */
    async resolveSubtree(description, path) {
      const at = (keys) => keys.reduce((node, key) => node?.[key], description);
      const resolved = (node, within) => {
        if (Array.isArray(node)) return node.map((item) => resolved(item, within));
        if (node === null || typeof node !== "object") return node;
        const { $ref, ...beside } = node;
        // A schema within itself stays a reference.
        const isFollowed = typeof $ref === "string" && !within.includes($ref);
        const target = isFollowed
          ? resolved(at($ref.split("/").slice(1)), [...within, $ref])
          : $ref !== undefined && { $ref };
        const members = Object.entries(beside).map(([name, member]) => [name, resolved(member, within)]);
        return { ...target, ...Object.fromEntries(members) };
      };
      return { spec: resolved(at(path), []), errors: [] };
    },
  },
};

const ui = SwaggerUIBundle({
  url: document.querySelector("#reference").dataset.description,
  dom_id: "#reference",
  deepLinking: true,
  filter: true,
  // The list of all schemas is long, and comes last.
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  onComplete: showAuthorized,
});

const form = document.getElementById("credentials");

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = SCHEMES.filter((name) => form.elements[name].value.trim());
  if (!given.length) return;
  ui.authActions.logout(SCHEMES);
  for (const name of given) ui.preauthorizeApiKey(name, form.elements[name].value.trim());
  ui.authActions.persistAuthorizationIfNeeded();
  form.reset();
  showAuthorized();
});

document.getElementById("forget").addEventListener("click", () => {
  form.reset();
  ui.authActions.logoutWithPersistOption(SCHEMES);
  showAuthorized();
});

/** Says which credentials are sent. The secrets themselves are not shown again. */
function showAuthorized() {
  const labels = { apiKey: "API key", apiSecret: "API secret", accessToken: "access token" };
  const authorized = ui.authSelectors.authorized();
  const set = SCHEMES.filter((name) => authorized.has(name)).map((name) => labels[name]);
  document.getElementById("credentials-status").textContent = set.length
    ? `Requests are sent with: ${set.join(", ")}.`
    : "Requests are sent without credentials.";
}

/** The name of a field: of the parameter that it is for, else by what it is. */
function nameOf(field) {
  const parameter = field.closest("tr[data-param-name]")?.dataset.paramName;
  if (field.matches(".operation-filter-input")) return "Filter operations";
  if (field.matches(".examples-select-element")) return "Example";
  if (parameter) return parameter;
  if (field.matches("textarea")) return "Request body";
  return "Media type";
}

/** Gives a part of the page a role and a name, so that screen readers can jump to it. */
function mark(part, role, label) {
  part?.setAttribute("role", role);
  part?.setAttribute("aria-label", label);
}

/** Names fields and parts, and lets the keyboard scroll what scrolls. */
function mend() {
  const root = document.getElementById("reference");
  for (const field of root.querySelectorAll("input, select, textarea")) {
    if (!field.getAttribute("aria-label")) field.setAttribute("aria-label", nameOf(field));
    if (field.matches(".operation-filter-input")) field.placeholder = "Filter by path, name or topic";
  }
  for (const block of root.querySelectorAll("pre, .opblock-body .table-container, .model-box")) block.tabIndex = 0;
  mark(root.querySelector(".information-container"), "region", "About the API");
  mark(root.querySelector(".filter"), "search", "Operations");
  // A table is a table.
  for (const table of root.querySelectorAll("table[role]")) table.removeAttribute("role");
}

new MutationObserver(mend).observe(document.getElementById("reference"), { childList: true, subtree: true });
