// Jest runs the sources as Node does: types are stripped, nothing else is changed.
const { createHash } = require('node:crypto');
const { stripTypeScriptTypes } = require('node:module');

module.exports = {
  process: (sourceText) => ({ code: stripTypeScriptTypes(sourceText, { mode: 'strip' }) }),
  getCacheKey: (sourceText, path) =>
    createHash('sha256').update(process.version).update(path).update(sourceText).digest('hex'),
};
