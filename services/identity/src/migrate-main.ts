import { runMigration } from '#platform/migrate.ts';
import { prepareDatabase } from './store/prepare-database.ts';

await runMigration('identity', process.env, prepareDatabase);
