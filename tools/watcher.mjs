// Ends a process, or with a minus a whole group, when this one is gone, even by kill -9: a shell waits for the end of
// its input, which comes with ours. In a session of its own, out of reach of Ctrl-C.
import { spawn } from 'node:child_process';

export function endWithUs(child, pid) {
  const script = 'read -r _; kill -s TERM -- "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, 'watcher', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  child.once('exit', () => watcher.kill('SIGKILL'));
  watcher.unref();
  watcher.stdin.unref();
}
