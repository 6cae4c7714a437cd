// Stands for packages in the builder, which has to be small: for what its modules load and nothing in a browser needs (node:crypto makes
// ids of what is stored), and for the parser of Markdown. The builder only names questions and pages by their texts; what people see is
// the preview, which the service makes.

/** Finds the commonest signs by patterns, and takes them away. */
class MarkdownIt {
  enable() {
    return this;
  }

  parse(text) {
    const content = text
      .replace(/\[([^\]\n]*)\]\([^\s)]*\)/g, "$1")
      .replace(/(\*\*|__)(?=\S)(.*?\S)\1/g, "$2")
      .replace(/(?<![\w*\\])([*_])(?=\S)(.*?[^\s\\])\1(?![\w*])/g, "$2")
      .replace(/\\([!-/:-@[-`{-~])/g, "$1");
    return [{ type: "inline", nesting: 0, children: [{ type: "text", nesting: 0, content }] }];
  }
}

/** All that modules of the builder require is the parser. */
export const createRequire = () => () => MarkdownIt;

/** It keeps nothing. */
export class LRUCache {
  get() {}

  set() {}
}
