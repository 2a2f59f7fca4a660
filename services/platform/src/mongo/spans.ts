import type { Connection } from 'mongoose';
import type { Span, Tracing } from '../telemetry/spans.ts';
import { tracing } from '../telemetry/tracing.ts';

/** Commands whose first member names their collection; of the others the database's name is enough. */
const onCollection = new Set(['find', 'insert', 'update', 'delete', 'aggregate', 'findAndModify', 'count', 'distinct']);
/** What the driver says to itself. */
const unwatched = new Set(['hello', 'ping', 'endSessions', 'isMaster']);
/** A command that never ends (its process was torn away) is not remembered for ever. */
const openMax = 10_000;

/** Makes a span of each command: its name and collection, never a value of it. Only while tracing is on. */
export function traceCommands(connection: Connection): void {
  const running = tracing();
  if (running === undefined) return;
  const open = new Map<number, Span>();
  const client = connection.getClient();
  client.on('commandStarted', ({ requestId, commandName, databaseName, command }) => {
    if (unwatched.has(commandName) || open.size >= openMax) return;
    const collection = onCollection.has(commandName) ? String(command[commandName]) : undefined;
    open.set(requestId, startSpan(running, { commandName, databaseName, collection }));
  });
  const end = ({ requestId }: { requestId: number }, fault?: string) => {
    open.get(requestId)?.end(undefined, fault);
    open.delete(requestId);
  };
  client.on('commandSucceeded', (event) => end(event));
  client.on('commandFailed', (event) => end(event, event.failure.name));
}

function startSpan(
  running: Tracing,
  {
    commandName,
    databaseName,
    collection,
  }: { commandName: string; databaseName: string; collection?: string | undefined },
): Span {
  return running.start({
    name: collection === undefined ? commandName : `${commandName} ${collection}`,
    kind: 'client',
    attributes: {
      'db.system.name': 'mongodb',
      'db.namespace': databaseName,
      'db.operation.name': commandName,
      ...(collection !== undefined && { 'db.collection.name': collection }),
    },
  });
}
