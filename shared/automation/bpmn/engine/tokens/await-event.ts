import type { FlowNode } from '../../shapes/graph.ts'
import { type Awaited, type EngineRun, nextId, type Token, type TokenPosition } from './engine-run.ts'

/** The token of an event, without what it waits for. */
export type Bare = TokenPosition &
  ({ readonly is: 'event' | 'alarm' } | { readonly is: 'watch'; readonly host: string })

/**
 * Leaves the tokens that wait for the triggers of an event. `around`: what its expressions see. False: it has none to
 * wait for.
 */
export async function awaitEvent(
  run: EngineRun,
  node: FlowNode,
  around: TokenPosition | undefined,
  makeToken: () => Bare,
): Promise<boolean> {
  const found = await awaitedOf(run, node, around)
  const [only, ...more] = found
  if (only === undefined) return false
  if (found.some(({ awaited }) => 'on' in awaited && awaited.on === 'conditional')) run.areConditionsStale = true
  const bare = makeToken()
  if (more.length === 0) run.tokens.set(bare.id, tokenFor(bare, only.awaited))
  else {
    run.tokens.set(bare.id, { ...bare, on: 'several' } as Token)
    for (const { index, awaited } of found) addPart(run, node, bare, index, awaited)
  }
  return true
}

export const tokenFor = (bare: Bare, awaited: Awaited): Token =>
  ({ ...bare, ...(bare.is === 'event' && 'due' in awaited && { is: 'timer' }), ...awaited }) as Token

export async function awaitedOf(run: EngineRun, node: FlowNode, around: TokenPosition | undefined) {
  const found: { readonly index: number; readonly awaited: Awaited }[] = []
  for (const index of node.triggers.keys()) {
    const awaited = await awaitTrigger(run, node, index, around)
    if (awaited !== undefined) found.push({ index, awaited })
  }
  return found
}

export async function awaitTrigger(run: EngineRun, node: FlowNode, index: number, around: TokenPosition | undefined) {
  const trigger = node.triggers[index]
  return trigger && (await run.elements.trigger(trigger.on)?.await?.(run, node, trigger, around))
}

export function addPart(
  run: EngineRun,
  node: FlowNode,
  { id: of, at, in: scope }: TokenPosition,
  trigger: number,
  awaited: Awaited,
): void {
  const id = nextId(run, node)
  run.tokens.set(id, { is: 'part', id, at, in: scope, of, trigger, ...awaited })
}
