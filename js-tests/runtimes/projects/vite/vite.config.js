// Two pages; nothing of it is for the package.
export default { build: { rollupOptions: { input: ["index.html", "worker.html"] } } };
