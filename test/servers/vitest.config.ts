import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reportersFor } from '../vitest.config.ts'

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    ...reportersFor('servers'),
    include: ['test/servers/**/*.test.ts'],
    pool: 'forks',
    // The servers listen on fixed places and take seconds to start: one after the other.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
