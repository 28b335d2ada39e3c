import { checkInvariants } from './invariants.ts'
import { faultCases, watchCalls, type CallSite, type FaultCase } from './provider-calls.ts'
import { openWorld, type World } from './world.ts'

/** One thing that clients have done, with everything it leads to. */
export interface Operation {
  readonly name: string
  /** Settings that the functions are to have. */
  readonly environment?: Readonly<Record<string, string>>
  /** Names of the functions at whose calls things go wrong; every function's when left out. */
  readonly among?: RegExp
  /** It is about what somebody else does meanwhile: nothing else goes wrong. */
  readonly onlyInterference?: boolean
  /**
   * Makes tables and records of its own, named after `n`, and answers what is to be done with them. Nothing goes wrong yet.
   */
  prepare(world: World, n: number): Promise<Stage>
}

export interface Stage {
  /** Tables whose records are looked at in the end. */
  readonly models: readonly string[]
  /** What clients do, as often as they must; answers what only the end shows: throws when something answered is not there. */
  act(): Promise<() => Promise<void>>
  /** What somebody else does at the same time. Must not fail the operation. */
  interfere?(): Promise<unknown>
}

export interface Enumeration {
  /** Calls of the run without a fault. */
  readonly calls: number
  /** Calls × what may go wrong at them. */
  readonly cases: number
  readonly ran: number
  /** Cases whose fault met its call: what comes later differs when something else is slower. */
  readonly struck: number
  /** Cases after which a table's count had to be repaired. */
  readonly repaired: readonly string[]
  readonly failures: readonly string[]
}

/** `all`, or a part of the names of the cases that are wanted. */
const wanted = process.env.FAULTS
const seed = Number(process.env.FAULTS_SEED ?? 20_261_120)
/** A store that only grows makes every look at it slower; a new world costs a second and 40 MB for good. */
const itemsPerWorld = 12_000

/**
 * Runs an operation once as it should go, and again for every call it led to and everything that may go wrong there, or for a
 * `sample` of these cases drawn by seed; each time until the change feed has drained and the sweepers ran.
 */
export async function enumerateFaults(operation: Operation, sample: number): Promise<Enumeration> {
  let world = await openWorld(operation.environment)
  let runs = 0
  const repaired: string[] = []
  const failures: string[] = []
  const note = async (name: string, run: () => Promise<boolean>) => {
    try {
      if (await run()) repaired.push(name)
    } catch (error) {
      failures.push(`${operation.name}, ${name}: ${(error as Error).message}`)
    }
  }
  try {
    let calls: CallSite[] = []
    let interferes = false
    await note('nothing goes wrong', async () => {
      // The first run imports the bundles and fills their caches.
      await runOnce(world, operation, ++runs)
      const plain = await runOnce(world, operation, ++runs, 'watch')
      calls = plain.calls.filter(({ functionName }) => operation.among?.test(functionName) ?? true)
      interferes = plain.interferes
      return plain.repaired
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
        return ran.repaired
      })
    }
    return { calls: calls.length, cases: all.length, ran: chosen.length, struck, repaired, failures }
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
  const repaired = await checkInvariants(world, stage.models)
  await check()
  return { calls, interferes: stage.interfere !== undefined, struck: injected?.struck ?? 0, repaired }
}

/** So many of a list, by seed, in their order. */
function draw<T>(all: readonly T[], count: number): T[] {
  const places = all.map((_, place) => place)
  for (let at = places.length - 1, state = seed; at > 0; at -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    ;[places[at], places[other]] = [places[other] as number, places[at] as number]
  }
  return places
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((place) => all[place] as T)
}
