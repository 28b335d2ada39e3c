import fc from 'fast-check'

/** A structured process, made of nested blocks; `id` is the id of its element. */
export type Block =
  | { readonly kind: 'task'; readonly id: string }
  /** Work that fails `fails` times before it succeeds. */
  | { readonly kind: 'work'; readonly id: string; readonly fails: number }
  | { readonly kind: 'several'; readonly id: string; readonly total: number; readonly isSequential: boolean }
  /** Calls another process so many times. */
  | { readonly kind: 'call'; readonly id: string; readonly total: number; readonly isSequential: boolean }
  | { readonly kind: 'sequence'; readonly id: string; readonly parts: readonly Block[] }
  | { readonly kind: 'choice'; readonly id: string; readonly parts: readonly Block[]; readonly taken: number }
  | { readonly kind: 'parallel'; readonly id: string; readonly parts: readonly Block[] }
  | {
      readonly kind: 'inclusive'
      readonly id: string
      readonly parts: readonly Block[]
      readonly taken: readonly boolean[]
    }
  | { readonly kind: 'loop'; readonly id: string; readonly body: Block; readonly times: number }
  | { readonly kind: 'sub'; readonly id: string; readonly body: Block }

const trees = (...more: fc.Arbitrary<unknown>[]) =>
  fc.letrec<{ tree: unknown; leaf: unknown; parts: unknown[] }>((tie) => ({
    leaf: fc.oneof(
      ...more.map((arbitrary) => ({ weight: 1, arbitrary })),
      { weight: 5, arbitrary: fc.constant({ kind: 'task' }) },
      fc.record({ kind: fc.constant('work'), fails: fc.nat(2) }),
      fc.record({ kind: fc.constant('several'), total: fc.nat(3), isSequential: fc.boolean() }),
    ),
    parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    tree: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      tie('leaf'),
      fc.record({ kind: fc.constant('sequence'), parts: fc.array(tie('tree'), { maxLength: 3 }) }),
      fc.record({ kind: fc.constant('choice'), parts: tie('parts'), taken: fc.nat(1) }),
      fc.record({ kind: fc.constant('parallel'), parts: tie('parts') }),
      fc.record({
        kind: fc.constant('inclusive'),
        parts: tie('parts'),
        taken: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      }),
      fc.record({ kind: fc.constant('loop'), body: tie('tree'), times: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant('sub'), body: tie('tree') }),
    ),
  })).tree

const call = fc.record({ kind: fc.constant('call'), total: fc.nat(3), isSequential: fc.boolean() })

/** A random process of blocks with unique ids. */
export const anyBlock: fc.Arbitrary<Block> = trees().map(named)
/** The same, with blocks that call other processes. */
export const anyBlockWithCalls: fc.Arbitrary<Block> = trees(call).map(named)

function named(block: unknown): Block {
  let count = 0
  const name = (each: Record<string, unknown>): Block =>
    ({
      ...each,
      id: `${String(each.kind)}${++count}`,
      ...(each.body !== undefined && { body: name(each.body as Record<string, unknown>) }),
      ...(each.parts !== undefined && { parts: (each.parts as Record<string, unknown>[]).map(name) }),
    }) as Block
  return name(block as Record<string, unknown>)
}

interface Drawn {
  readonly xml: string
  readonly first: string
  readonly last: string
}

/** The content of a process that runs a block. */
export function drawProcess(block: Block): string {
  const { xml, first, last } = draw(block)
  return `<startEvent id="s"/>${xml}<endEvent id="e"/>${line('s', first)}${line(last, 'e')}`
}

let lines = 0
function line(source: string, target: string, condition?: string, id = `f${++lines}`): string {
  const expression =
    condition === undefined
      ? ''
      : `<conditionExpression xsi:type="tFormalExpression">${condition}</conditionExpression>`
  return `<sequenceFlow id="${id}" sourceRef="${source}" targetRef="${target}">${expression}</sequenceFlow>`
}

function draw(block: Block): Drawn {
  const { id } = block
  const alone = (xml: string): Drawn => ({ xml, first: id, last: id })
  switch (block.kind) {
    case 'task':
      return alone(`<userTask id="${id}"/>`)
    case 'work':
      return alone(`<serviceTask id="${id}"/>`)
    case 'call':
      return alone(
        `<callActivity id="${id}" calledElement="other"><multiInstanceLoopCharacteristics isSequential="${block.isSequential}"><loopCardinality>${block.total}</loopCardinality></multiInstanceLoopCharacteristics></callActivity>`,
      )
    case 'several':
      return alone(
        `<userTask id="${id}"><multiInstanceLoopCharacteristics isSequential="${block.isSequential}"><loopCardinality>${block.total}</loopCardinality></multiInstanceLoopCharacteristics></userTask>`,
      )
    case 'sequence': {
      const parts = block.parts.map(draw)
      if (parts.length === 0) return alone(`<task id="${id}"/>`)
      const between = parts.slice(1).map((part, i) => line(parts[i]?.last ?? '', part.first))
      return {
        xml: parts.map((part) => part.xml).join('') + between.join(''),
        first: parts[0]?.first ?? '',
        last: parts.at(-1)?.last ?? '',
      }
    }
    case 'choice':
      return split(block.parts, id, 'exclusiveGateway', (i) => String(i === block.taken))
    case 'parallel':
      return split(block.parts, id, 'parallelGateway', () => undefined)
    case 'inclusive':
      return split(block.parts, id, 'inclusiveGateway', (i) => (i === 0 ? undefined : String(block.taken[i])))
    case 'loop': {
      const body = draw(block.body)
      const back = line(`${id}_x`, `${id}_m`, `${id} &lt; ${block.times}`)
      const gateways = `<scriptTask id="${id}_begin"/><exclusiveGateway id="${id}_m"/><scriptTask id="${id}_turn"/><exclusiveGateway id="${id}_x" default="${id}_out"/><exclusiveGateway id="${id}"/>`
      const path =
        line(`${id}_begin`, `${id}_m`) +
        line(`${id}_m`, body.first) +
        line(body.last, `${id}_turn`) +
        line(`${id}_turn`, `${id}_x`) +
        back +
        line(`${id}_x`, id, undefined, `${id}_out`)
      return { xml: body.xml + gateways + path, first: `${id}_begin`, last: id }
    }
    case 'sub': {
      const body = draw(block.body)
      return alone(
        `<subProcess id="${id}"><startEvent id="${id}_s"/>${body.xml}<endEvent id="${id}_e"/>${line(`${id}_s`, body.first)}${line(body.last, `${id}_e`)}</subProcess>`,
      )
    }
  }
}

/** A splitting and a joining gateway of the same kind. The first flow of an inclusive one is its default. */
function split(
  parts: readonly Block[],
  id: string,
  gateway: string,
  conditionOf: (i: number) => string | undefined,
): Drawn {
  const drawn = parts.map(draw)
  const flows = drawn.map((part, i) => line(`${id}_f`, part.first, conditionOf(i), `${id}_${i}`) + line(part.last, id))
  const isInclusive = gateway === 'inclusiveGateway'
  return {
    xml: `<${gateway} id="${id}_f"${isInclusive ? ` default="${id}_0"` : ''}/><${gateway} id="${id}"/>${drawn.map((part) => part.xml).join('')}${flows.join('')}`,
    first: `${id}_f`,
    last: id,
  }
}

/** What is left to do of a block; null: nothing. This is the oracle of the engine, without tokens. */
export type Rest =
  | { readonly kind: 'open'; readonly id: string; readonly tries: number }
  | { readonly kind: 'then'; readonly now: Rest; readonly next: readonly Block[] }
  | { readonly kind: 'all'; readonly parts: readonly Rest[] }
  | null

export function begin(block: Block): Rest {
  switch (block.kind) {
    case 'task':
      return { kind: 'open', id: block.id, tries: 1 }
    case 'work':
      return block.fails === 0 ? null : { kind: 'open', id: block.id, tries: block.fails }
    case 'call':
    case 'several': {
      const iterations = Array.from({ length: block.total }, (): Block => ({ kind: 'task', id: block.id }))
      return block.isSequential ? inOrder(iterations) : together(iterations)
    }
    case 'sequence':
      return inOrder(block.parts)
    case 'choice':
      return inOrder(block.parts.filter((_, i) => i === block.taken))
    case 'parallel':
      return together(block.parts)
    case 'inclusive': {
      const taken = block.parts.filter((_, i) => i > 0 && block.taken[i])
      return together(taken.length > 0 ? taken : block.parts.slice(0, 1))
    }
    case 'loop':
      return inOrder(Array.from({ length: block.times }, () => block.body))
    case 'sub':
      return begin(block.body)
  }
}

function inOrder(blocks: readonly Block[]): Rest {
  for (const [i, block] of blocks.entries()) {
    const now = begin(block)
    if (now !== null) return { kind: 'then', now, next: blocks.slice(i + 1) }
  }
  return null
}

const gather = (parts: readonly Rest[]): Rest => {
  const left = parts.filter((part) => part !== null)
  return left.length === 0 ? null : { kind: 'all', parts: left }
}
const together = (blocks: readonly Block[]): Rest => gather(blocks.map(begin))

/** The elements that wait, each as often as it waits. */
export function openIn(rest: Rest): string[] {
  if (rest === null) return []
  if (rest.kind === 'open') return [rest.id]
  return rest.kind === 'then' ? openIn(rest.now) : rest.parts.flatMap(openIn)
}

/** What is left after an element that waits was tried once more. */
export function after(rest: Rest, id: string): Rest {
  if (rest === null) return null
  if (rest.kind === 'open') return rest.tries === 1 ? null : { ...rest, tries: rest.tries - 1 }
  if (rest.kind === 'then') {
    const now = after(rest.now, id)
    return now === null ? inOrder(rest.next) : { ...rest, now }
  }
  const one = rest.parts.findIndex((part) => openIn(part).includes(id))
  return gather(rest.parts.map((part, i) => (i === one ? after(part, id) : part)))
}
