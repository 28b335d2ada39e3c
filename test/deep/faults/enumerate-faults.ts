import { isFullDepth } from '../../make/depth.ts'
import { checkInvariants } from './invariants.ts'
import { faultCases, watchCalls, type CallSite, type FaultCase } from './provider-calls.ts'
import { openWorld, type World } from './world.ts'

/** One request of a client, or a few, with all the background work that follows. */
export interface Operation {
  readonly name: string
  /** Environment variables of the functions. */
  readonly environment?: Readonly<Record<string, string>>
  /** Names of the functions whose calls get faults; all functions when absent. */
  readonly among?: RegExp
  /** Only `interfere` happens; no faults are injected. */
  readonly onlyInterference?: boolean
  /**
   * Creates its own tables and records, named after `n`, and answers what to do with them. No fault is injected yet.
   */
  prepare(world: World, n: number): Promise<Stage>
}

export interface Stage {
  /** Tables whose invariants are checked in the end. */
  readonly models: readonly string[]
  /**
   * Sends the requests, with retries. Answers a check to run in the end, which throws when an acknowledged write is
   * missing.
   */
  act(): Promise<() => Promise<void>>
  /** A concurrent request of another client. It must not fail the operation. */
  interfere?(): Promise<unknown>
}

export interface Enumeration {
  /** Provider calls of the run without a fault. */
  readonly calls: number
  /** Calls × the faults that each may have. */
  readonly cases: number
  readonly ran: number
  /** Cases whose fault met its call: with other timing a later call may not happen. */
  readonly struck: number
  readonly failures: readonly string[]
}

/** `all`, or a part of the names of the cases to run. */
const wanted = process.env.FAULTS ?? (isFullDepth ? 'all' : undefined)
const seed = Number(process.env.FAULTS_SEED ?? 20_261_120)
/**
 * Every check reads the whole store, so it must stay small; a new world costs a second and 40 MB that are never freed.
 */
const itemsPerWorld = 12_000

/**
 * Runs an operation once without a fault, and again for every provider call it made and every fault that call may have,
 * or for a `sample` of these cases drawn by seed. Each run lasts until the change feed has drained and the sweepers
 * have run.
 */
export async function enumerateFaults(operation: Operation, sample: number): Promise<Enumeration> {
  let world = await openWorld(operation.environment)
  let runs = 0
  const failures: string[] = []
  const note = async (name: string, run: () => Promise<void>) => {
    try {
      await run()
    } catch (error) {
      failures.push(`${operation.name}, ${name}: ${(error as Error).message}`)
    }
  }
  try {
    let calls: CallSite[] = []
    let interferes = false
    await note('no fault', async () => {
      // The first run imports the bundles and fills their caches.
      await runOnce(world, operation, ++runs)
      const plain = await runOnce(world, operation, ++runs, 'watch')
      calls = plain.calls.filter(({ functionName }) => operation.among?.test(functionName) ?? true)
      interferes = plain.interferes
    })
    const all = faultCases(calls, interferes, operation.onlyInterference)
    const chosen =
      wanted === undefined
        ? draw(all, sample)
        : all.filter((make) => wanted === 'all' || make(async () => {}).name.includes(wanted))
    let struck = 0
    for (const make of chosen) {
      if (world.size() > itemsPerWorld) {
        await world.stop()
        world = await openWorld(operation.environment)
        runs = 0
      }
      await note(make(async () => {}).name, async () => {
        const ran = await runOnce(world, operation, ++runs, make)
        struck += ran.struck
      })
    }
    return { calls: calls.length, cases: all.length, ran: chosen.length, struck, failures }
  } finally {
    await world.stop()
  }
}

async function runOnce(
  world: World,
  operation: Operation,
  n: number,
  how?: 'watch' | ((interfere: () => Promise<unknown>) => FaultCase),
) {
  const { faults } = world.service.cloud
  faults.clear()
  const stage = await operation.prepare(world, n)
  await world.drain()
  const watched = how === 'watch' ? watchCalls(world.service.cloud) : undefined
  const injected = typeof how === 'function' ? faults.inject(how(stage.interfere ?? (async () => {})).fault) : undefined
  const check = await stage.act()
  await world.drain()
  const calls = watched?.stop() ?? []
  faults.clear()
  await world.sweep()
  await checkInvariants(world, stage.models)
  await check()
  return { calls, interferes: stage.interfere !== undefined, struck: injected?.struck ?? 0 }
}

/** `count` members of a list, drawn by seed, in their order. */
function draw<T>(all: readonly T[], count: number): T[] {
  const positions = all.map((_, position) => position)
  for (let at = positions.length - 1, state = seed; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    ;[positions[at], positions[other]] = [positions[other] as number, positions[at] as number]
  }
  return positions
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((position) => all[position] as T)
}
