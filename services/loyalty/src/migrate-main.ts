import { runMigration } from '#platform/mongo/migrate.ts';
import { prepareDatabase } from './store/prepare-database.ts';

await runMigration('loyalty', process.env, prepareDatabase);
