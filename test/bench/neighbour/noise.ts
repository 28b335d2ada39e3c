import { parentPort, workerData } from 'node:worker_threads'
import { load, type BenchRequest, type LoadResult } from '../world/load.ts'

/** What a noisy tenant does, by name. */
export type NoiseName = 'imports' | 'hooks at their limits' | 'exports' | 'floods of searches'

/** For a thread of its own: what it prepares and reads must not delay the requests that are measured. */
export interface NoiseOrder {
  readonly target: { readonly port: number; readonly token: string }
  readonly names: readonly NoiseName[]
  readonly seconds: number
}

interface Noise {
  readonly connections: number
  readonly requestAt: (n: number) => BenchRequest
}

/** As many rows as one import takes. */
export const rowsPerCall = 5000

const noises: Readonly<Record<NoiseName, Noise>> = {
  imports: { connections: 2, requestAt: importAt },
  'hooks at their limits': {
    connections: 20,
    requestAt: () => ({ method: 'POST', path: '/api/e/slow', body: { text: 'x' } }),
  },
  exports: { connections: 4, requestAt: () => ({ method: 'GET', path: '/api/e/notes/export?format=csv' }) },
  'floods of searches': { connections: 16, requestAt: searchAt },
}

export const noiseNames = Object.keys(noises) as readonly NoiseName[]

export function rowsFrom(from: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ text: textOf(from + index), n: from + index }))
}

function textOf(n: number): string {
  return `printer ${n % 97} on floor ${n % 13} shows error ${(n * 7919) % 1009}`
}

function importAt(n: number): BenchRequest {
  return { method: 'POST', path: '/api/e/imported/import', body: { rows: rowsFrom(n * rowsPerCall, rowsPerCall) } }
}

function searchAt(n: number): BenchRequest {
  return n % 2 === 0
    ? { method: 'GET', path: `/api/e/notes?search=error ${n % 1009}&sort=-n&per_page=1000`.replaceAll(' ', '%20') }
    : { method: 'GET', path: `/api/e/notes?search=pri&sort=text&page=${1 + (n % 15)}&per_page=1000` }
}

const port = parentPort
if (port) {
  const { target, names, seconds } = workerData as NoiseOrder
  const results: LoadResult[] = await Promise.all(
    names.map((name) => load(target, { connections: noises[name].connections, seconds }, noises[name].requestAt)),
  )
  port.postMessage(results)
}
