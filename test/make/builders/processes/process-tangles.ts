import fc from 'fast-check'
import { flows } from './engine-documents.ts'

const kinds = [
  'userTask',
  'userTask',
  'scriptTask',
  'exclusiveGateway',
  'parallelGateway',
  'inclusiveGateway',
  'subProcess',
  'endEvent',
  'terminate',
  'errorEnd',
  'timer',
  'several',
] as const

const inside = `<startEvent id="ID_s"/><parallelGateway id="ID_f"/><userTask id="ID_a"/><userTask id="ID_b"/><inclusiveGateway id="ID_j"/><endEvent id="ID_e"><errorEventDefinition/></endEvent>${flows('ID_s -> ID_f -> ID_a -> ID_j', 'ID_f -> ID_b -> ID_j', 'ID_b -> ID_e if variables.bad')}`

function draw(kind: (typeof kinds)[number], id: string): string {
  switch (kind) {
    case 'terminate':
      return `<endEvent id="${id}"><terminateEventDefinition/></endEvent>`
    case 'errorEnd':
      return `<endEvent id="${id}"><errorEventDefinition/></endEvent>`
    case 'timer':
      return `<intermediateCatchEvent id="${id}"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></intermediateCatchEvent>`
    case 'several':
      return `<userTask id="${id}"><multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics></userTask>`
    case 'subProcess':
      return `<subProcess id="${id}">${inside.replaceAll('ID', id)}</subProcess>`
    default:
      return `<${kind} id="${id}"/>`
  }
}

const hosts = new Set<string>(['userTask', 'subProcess', 'several', 'scriptTask'])

/** The content of a process with random flows. Most make no sense, but the engine must handle them all. */
export const anyTangle: fc.Arbitrary<string> = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      to: fc.array(fc.nat(11), { minLength: 1, maxLength: 3 }),
      border: fc.nat(11),
      borderKind: fc.nat(3),
    }),
    { minLength: 2, maxLength: 12 },
  )
  .map((elements) => {
    const idOf = (i: number): string => `n${i % elements.length}`
    const drawn = elements.map(({ kind, to, border, borderKind }, i) => {
      const leaves = !['endEvent', 'terminate', 'errorEnd'].includes(kind)
      const lines = leaves
        ? to.map((target, n) =>
            flows(
              `n${i} -> ${idOf(target)} as f${i}_${n}${n > 0 && /Task|exclusive|inclusive/.test(kind) ? ` if variables.turns % ${n + 1} === 0` : ''}`,
            ),
          )
        : []
      const definition =
        borderKind === 2
          ? '<errorEventDefinition/>'
          : `<timerEventDefinition><timeCycle>R2/PT1H</timeCycle></timerEventDefinition>`
      const event =
        hosts.has(kind) && borderKind > 0
          ? `<boundaryEvent id="b${i}" attachedToRef="n${i}"${borderKind === 3 ? ' cancelActivity="false"' : ''}>${definition}</boundaryEvent>${flows(`b${i} -> ${idOf(border)}`)}`
          : ''
      return draw(kind, `n${i}`) + lines.join('') + event
    })
    return `<startEvent id="s"/>${flows('s -> n0', 's -> n1')}${drawn.join('')}`
  })
