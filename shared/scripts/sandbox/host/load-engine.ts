import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { compileEngine } from '../worker/engine.ts'

/**
 * esbuild.config.ts writes these files next to a bundle. Without a bundle, `load` uses the sources and the package's
 * file.
 */
const bundledWorker = new URL('./script-worker.mjs', import.meta.url)
const bundledEngine = new URL('./quickjs.wasm', import.meta.url)

export interface EngineFiles {
  readonly worker: URL
  readonly engine: WebAssembly.Module
}

let loading: Promise<EngineFiles> | undefined

/** Finds and compiles the files that workers run, once per process and bundle. */
export async function loadEngine(): Promise<EngineFiles> {
  loading ??= load()
  try {
    return await loading
  } catch (cause) {
    loading = undefined
    throw cause
  }
}

async function load(): Promise<EngineFiles> {
  const isBundled = existsSync(bundledWorker)
  const engineFile = isBundled
    ? bundledEngine
    : createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  return {
    worker: isBundled ? bundledWorker : new URL('../worker/worker.ts', import.meta.url),
    engine: await compileEngine(await readFile(engineFile)),
  }
}
