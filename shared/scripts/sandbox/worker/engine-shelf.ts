import type { RunEnd, RunOrder } from '../messages.ts'
import type { Engine } from './engine.ts'
import type { ReusableEngine } from './reusable-engine.ts'

/** Two, because the hooks before and after a write follow each other closely. */
const enginesAhead = 2
/** Long enough for the next run of the same request to start first. */
const pauseMs = 5

/** What makes engines. */
export interface EngineMaker {
  prepare(): Promise<Engine>
  /** Notes the state of a prepared engine, to take it back there. */
  makeReusable(engine: Engine): ReusableEngine
}

/** The engine of one run. */
export interface LentEngine {
  readonly engine: Engine
  /** Whether no run has used it before. */
  readonly isNew: boolean
  /** Called after the run, with how it ended. */
  giveBack(status: RunEnd['status'] | 'broken'): Promise<void>
}

/**
 * The engines of one thread. A run gets one that was prepared while nobody waited. A tenant that runs scripts in a row, and
 * one that evaluates expressions from the first on, gets the same engine again, which is taken back to its beginning after
 * each run. It is kept for this tenant only.
 */
export function createEngineShelf({ prepare, makeReusable }: EngineMaker) {
  const ready: Promise<Engine>[] = []
  let refilling: NodeJS.Timeout | undefined
  let kept: { readonly tenant: number; readonly reusable: ReusableEngine } | undefined
  let lastTenant: number | undefined

  function refill(): void {
    clearTimeout(refilling)
    if (ready.length < enginesAhead) ready.push(prepare())
    if (ready.length < enginesAhead) refillLater()
  }
  function refillLater(): void {
    clearTimeout(refilling)
    refilling = setTimeout(refill, pauseMs)
  }
  const takeReady = (): Promise<Engine> => ready.shift() ?? prepare()

  function lendKept(own: NonNullable<typeof kept>, isNew: boolean): LentEngine {
    return {
      engine: own.reusable.engine,
      isNew,
      async giveBack(status) {
        // A run that was stopped may have left more than memory behind.
        const isAsNew = status !== 'stopped' && status !== 'broken' && own.reusable.reset()
        if (!isAsNew && kept === own) kept = undefined
      },
    }
  }

  refill()
  return {
    async lend({ tenant, isExpression }: Pick<RunOrder, 'tenant' | 'isExpression'>): Promise<LentEngine> {
      if (kept?.tenant === tenant) return lendKept(kept, false)
      if (isExpression) {
        // The next engine can wait: more expressions of the same step follow.
        clearTimeout(refilling)
        kept = { tenant, reusable: makeReusable(await takeReady()) }
        lastTenant = tenant
        return lendKept(kept, true)
      }
      return {
        engine: await takeReady(),
        isNew: true,
        async giveBack() {
          if (tenant === lastTenant) kept = { tenant, reusable: makeReusable(await prepare()) }
          lastTenant = tenant
          if (ready.length === 0) refill()
          else refillLater()
        },
      }
    },
  }
}
