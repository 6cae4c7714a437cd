// Stands for node:crypto in browsers, where nothing needs it.

export {};
