import { runMigration } from '#platform/migrate.ts';
import { prepareDatabase } from './store/prepare-database.ts';

await runMigration('webhooks', process.env, prepareDatabase);
