/** Loaded into a child that knows nothing of us, so that it ends when its starter was killed. */
import process from 'node:process';

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
