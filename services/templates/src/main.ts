import { runService } from '#platform/process/run.ts';
import { createApp } from './app.ts';
import { envToConfig } from './config.ts';

await runService('templates', envToConfig, createApp);
