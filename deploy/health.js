// Ends with 0 while the site is ready, for containers and for systemd. The only argument is the port; without one, PORT.
const port = process.argv[2] ?? process.env.PORT ?? "3000";
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4000) }).catch(() => null);
process.exit(answer?.ok ? 0 : 1);
