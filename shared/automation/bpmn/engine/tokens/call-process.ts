import { type EngineRun, nodeAt, type Token } from './engine-run.ts'
import { failWork } from './perform-work.ts'
import { assignOutward, openVariables, scopeAt, isCounter } from './variable-scopes.ts'

type Variables = Readonly<Record<string, unknown>>

/** Calls the process of a call activity, whose token waits until it has ended. What cannot be called leaves it as failed. */
export async function callProcess(run: EngineRun, id: string): Promise<void> {
  const token = run.tokens.get(id)
  if (token === undefined) return
  const node = nodeAt(run, token.at)
  const variables = givenVariables(run, token)
  try {
    const work = { elementId: node.id, executionId: id, type: node.type, ...scopeAt(run, token) }
    if (run.host.call === undefined) throw new Error(`${node.label} cannot call a process here.`)
    const called = await run.host.call(work, variables)
    run.tokens.set(id, { ...token, is: 'call' } as Token)
    run.calls.push({ ...called, elementId: node.id, executionId: id, variables })
  } catch (error) {
    failWork(run, token, { message: error instanceof Error ? error.message : String(error) })
  }
}

/** What its mapping names, and with `passesAll` everything that the activity sees. */
function givenVariables(run: EngineRun, token: Token): Variables {
  const own = run.scopes.get(token.id)?.variables ?? {}
  if (nodeAt(run, token.at).call?.passesAll === undefined) return { ...own }
  return Object.fromEntries(Object.entries(scopeAt(run, token).variables).filter(([name]) => !isCounter(name)))
}

/** Continues after a called process. Its output mapping sees the variables of that process. */
export function endCall(run: EngineRun, token: Token, variables: Variables): void {
  const scope = openVariables(run, token.id)
  for (const name of Object.keys(scope.variables)) delete scope.variables[name]
  if (nodeAt(run, token.at).call?.returnsAll) assignOutward(run, token, variables)
  Object.assign(scope.variables, variables)
  run.moves.push({ do: 'finish', id: token.id })
}
