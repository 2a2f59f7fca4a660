import { runMigration } from '#platform/mongo/migrate.ts';
import { prepareDatabase } from './store/prepare-database.ts';

await runMigration('webhooks', process.env, prepareDatabase);
