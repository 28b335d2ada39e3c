import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reportersFor } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    ...reportersFor('servers'),
    include: ['test/servers/**/*.test.ts'],
    // The services that the files start find the assembly ready.
    globalSetup: 'test/assemble-once.ts',
    setupFiles: 'test/await-assembly.ts',
    pool: 'forks',
    // Every server has ports and folders of its own. Two at a time: brokers and browsers need memory.
    maxWorkers: 2,
    // Bounds for what hangs: a busy machine is slower.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
