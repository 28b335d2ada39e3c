import { NotFound } from '../../../shared/kernel/failures/faults.ts'
import type { Sandbox, ScriptHost, ScriptOutcome, ScriptRun } from '../../../shared/scripts/sandbox/sandbox.ts'
import { checkSource } from '../../../shared/scripts/source/check-source.ts'

/** The `$context.now` of every run in the tests. */
export const scriptNow = '2026-11-20T10:00:00.000Z'

/** Multiplies every bound on real time, for shared machines. Set TEST_TIME_FACTOR=1 on an idle one. */
export const timeFactor = Number(process.env.TEST_TIME_FACTOR ?? 4)

/** Answers `find` with its arguments and refuses every other method. */
export const echoHost: ScriptHost = {
  async call(method, args) {
    if (method === 'find') return { id: 7, args }
    throw new NotFound('endpoint', { method }, `The method ${method} was not found.`)
  },
}

export const runIn =
  (sandbox: Sandbox) =>
  async (script: string, more: Partial<ScriptRun> = {}): Promise<ScriptOutcome> =>
    sandbox.run({
      tenant: 1,
      source: checkSource(script),
      variables: { data: { title: 'Printer' }, user: { id: 3 }, context: { now: scriptNow } },
      host: echoHost,
      depth: 0,
      ...more,
    })
