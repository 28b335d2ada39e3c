import { DmnModdle } from 'dmn-moddle'
import { Reader } from 'moddle-xml'
import { maxDecisionXmlBytes } from '../../../kernel/limits/decisions.ts'
import { xmlProblem } from '../../../kernel/text/xml-problem.ts'

/** An element as moddle reads it. Declares what is read of DMN. */
export interface DmnElement {
  readonly $type: string
  readonly $attrs?: Readonly<Record<string, string>>
  readonly id?: string
  readonly name?: string
  readonly label?: string
  readonly text?: string
  readonly typeRef?: string
  readonly isCollection?: boolean
  readonly href?: string
  readonly expressionLanguage?: string
  readonly hitPolicy?: string
  readonly aggregation?: string
  readonly outputLabel?: string
  readonly drgElement?: readonly DmnElement[]
  readonly itemDefinition?: readonly DmnElement[]
  readonly itemComponent?: readonly DmnElement[]
  readonly import?: readonly DmnElement[]
  readonly variable?: DmnElement
  readonly informationRequirement?: readonly DmnElement[]
  readonly knowledgeRequirement?: readonly DmnElement[]
  readonly requiredDecision?: DmnElement
  readonly requiredInput?: DmnElement
  readonly decisionLogic?: DmnElement
  readonly input?: readonly DmnElement[]
  readonly output?: readonly DmnElement[]
  readonly rule?: readonly DmnElement[]
  readonly inputExpression?: DmnElement
  readonly inputValues?: DmnElement
  readonly outputValues?: DmnElement
  readonly allowedValues?: DmnElement
  readonly defaultOutputEntry?: DmnElement
  readonly inputEntry?: readonly DmnElement[]
  readonly outputEntry?: readonly DmnElement[]
  readonly importedValues?: DmnElement
}

interface DmnWarning {
  readonly message: string
  readonly element?: DmnElement
  readonly property?: string
}

/** The namespaces of DMN 1.1 to 1.5, whose tables are written alike. */
const versions =
  /https?:\/\/www\.omg\.org\/spec\/DMN\/(?:20151101|20180521|20191111|20211108|20230324)\/(?:MODEL\/|dmn\.xsd)/g
const read = 'https://www.omg.org/spec/DMN/20191111/MODEL/'
/** Parsing stops then: each costs a pass through the document. */
const maxProblems = 50

class TooManyProblems extends Error {}

let model: object | undefined

/** Reads a document of DMN 1.1 to 1.5 in XML, or says why it cannot be read. */
export async function readDmn(
  xml: string,
): Promise<{ readonly definitions: DmnElement } | { readonly problems: readonly string[] }> {
  if (Buffer.byteLength(xml) > maxDecisionXmlBytes)
    return { problems: [`The document is larger than ${maxDecisionXmlBytes / 1000} KB.`] }
  const refused = xml.trim() === '' ? 'The document is empty: a DMN document in XML is needed.' : xmlProblem(xml)
  if (refused !== undefined) return { problems: [refused] }
  const found = xml.match(versions)
  if (found === null)
    return {
      problems: [
        'The document is no DMN: <definitions> needs the namespace of DMN 1.1 to 1.5, such as https://www.omg.org/spec/DMN/20191111/MODEL/.',
      ],
    }
  const warnings: DmnWarning[] = []
  try {
    const { rootElement } = await parse(xml.replaceAll(versions, read), warnings)
    const problems = warnings.map(explain)
    return problems.length > 0 ? { problems } : { definitions: rootElement }
  } catch (cause) {
    const problems = warnings.map(explain)
    if (problems.length === 0 && cause instanceof Error) problems.push(explain({ message: cause.message }))
    return { problems }
  }
}

function parse(xml: string, warnings: DmnWarning[]): Promise<{ readonly rootElement: DmnElement }> {
  const reader = new Reader({ model: (model ??= new DmnModdle()), lax: true })
  const handler = reader.handler('dmn:Definitions')
  let context: Record<string, unknown> | undefined
  Object.defineProperty(handler, 'context', {
    get: () => context,
    set: (made: Record<string, unknown>) => {
      context = made
      let foreign = 0
      made.addWarning = (warning: DmnWarning) => {
        // Diagrams and the elements of editors mean nothing here, but they cost as much to read past.
        if (isForeign(warning) && foreign++ < 1000) return
        warnings.push(warning)
        if (warnings.length >= maxProblems) throw new TooManyProblems()
      }
    },
  })
  return reader.fromXML(xml, handler) as unknown as Promise<{ readonly rootElement: DmnElement }>
}

/** Of another namespace, or a reference that the compiler looks up itself. */
const isForeign = ({ message }: DmnWarning): boolean =>
  message.startsWith('unresolved reference') ||
  (message.startsWith('unparsable content') &&
    !/unknown type <dmn:|duplicate ID|unexpected element|required/.test(message) &&
    message.includes('unrecognized element'))

/** What moddle says, in words of the document; its lines count from 0. */
function explain({ message, element }: DmnWarning): string {
  const [first = '', ...rest] = message.split('\n')
  const line = /line: (\d+)/.exec(message)?.[1]
  const at = line === undefined ? '' : ` (line ${Number(line) + 1})`
  const nested = rest.join(' ').replace(/^.*nested error:\s*/, '')
  const duplicate = /duplicate ID <([^>]*)>/.exec(message)?.[1]
  if (duplicate !== undefined) return `Two elements have the id ${duplicate}${at}; ids are unique in a document.`
  const unknown = /unparsable content <([^> ]+)>? detected/.exec(first)?.[1]
  if (unknown !== undefined && nested.includes('unknown type'))
    return `<${unknown.replace(/\/$/, '')}> is no element of DMN that is supported here${at}.`
  if (nested.includes('unexpected element'))
    return `The root of the document must be <definitions> of DMN, not <${unknown ?? '?'}>.`
  const attribute = /unknown attribute <([^>]*)>/.exec(first)?.[1]
  if (attribute !== undefined)
    return `The attribute ${attribute} of ${element?.id ?? element?.$type.replace('dmn:', '') ?? 'an element'} is none of DMN.`
  return `The document is not well-formed XML: ${nested || first}${at}.`
}
