import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reportersFor } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    ...reportersFor('servers'),
    include: ['test/servers/**/*.test.ts'],
    pool: 'forks',
    // One file after the other: the servers use fixed ports and take seconds to start.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
