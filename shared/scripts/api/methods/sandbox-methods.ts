import type { Declared } from './declared.ts'

/** Methods that the sandbox answers itself: `sandbox/worker/prelude.ts`. */
export const sandboxMethods: readonly Declared[] = [
  { name: 'log', declaration: 'log(...values: unknown[]): void' },
  {
    name: 'fail',
    declaration: `/** Ends the script; in a before hook it refuses the operation. */
  fail(message: string, field?: string): never`,
  },
  { name: 'uuid', declaration: 'uuid(): string' },
  { name: 'hash', declaration: 'hash(algorithm: string, text: string): string' },
  {
    name: 'date',
    declaration: `/** Days (\`2026-11-20\`) and moments in UTC. */
  readonly date: {
    now(): string
    today(): string
    add(value: string | null, amount: number, unit: Unit): string
    diff(from: string | null, to: string | null, unit?: Unit): number
    format(value: string | null, pattern: string): string
  }`,
  },
]
