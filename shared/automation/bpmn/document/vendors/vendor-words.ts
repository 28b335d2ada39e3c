import { own } from '../../../../kernel/collections/own-members.ts'
import { type BpmnElement, describe, sentence, visibleId } from '../../shapes/bpmn-element.ts'

/** The engines whose words are read, by their namespaces. `uel`: Camunda 7, Flowable and Activiti, which share theirs. */
const namespaces: Readonly<Record<string, Vendor>> = {
  'http://camunda.org/schema/1.0/bpmn': 'uel',
  'http://camunda.org/bpmn': 'uel',
  'http://www.camunda.com/fox': 'uel',
  'http://activiti.org/bpmn': 'uel',
  'http://flowable.org/bpmn': 'uel',
  'http://camunda.org/schema/zeebe/1.0': 'zeebe',
}
type Vendor = 'uel' | 'zeebe'

/** An attribute of another engine. */
export interface VendorWord {
  /** As the document writes it: `camunda:assignee`. */
  readonly word: string
  readonly text: string
}

/** An element with what other engines say about it. */
export interface VendorHost {
  readonly node: BpmnElement
  /** Takes an attribute by its name without prefix, so that nobody warns about it later. */
  readonly take: (name: string, from?: BpmnElement) => VendorWord | undefined
  /** Takes the extension elements of a name without prefix. */
  readonly takeElements: (vendor: Vendor, name: string, from?: BpmnElement) => readonly VendorElement[]
  /** `what`: the sentence after the name of the element. */
  readonly warn: (what: string) => void
}

/** An element that is in no descriptor: its attributes are members. */
export interface VendorElement {
  readonly $type: string
  readonly $body?: string
  readonly $children?: readonly VendorElement[]
  readonly [attribute: string]: unknown
}

export interface VendorWarning {
  readonly elementId: string | null
  readonly message: string
}

/** Opens the words of other engines in a document; undefined when it declares none of their namespaces. */
export function openVendorWords(
  definitions: BpmnElement,
  tell: (warning: VendorWarning) => void,
): ((node: BpmnElement) => VendorHost) | undefined {
  const vendors = vendorsOf(definitions)
  if (vendors.size === 0) return undefined
  const partsOf = (name: string): [vendor: Vendor | undefined, local: string] => {
    const at = name.indexOf(':')
    return [vendors.get(name.slice(0, Math.max(at, 0))), name.slice(at + 1)]
  }
  return (node) => ({
    node,
    take(name, from = node) {
      const attributes = from.$attrs as Record<string, string>
      const word = Object.keys(attributes).find((one) => {
        const [vendor, local] = partsOf(one)
        return vendor !== undefined && local === name
      })
      if (word === undefined) return undefined
      const text = attributes[word] ?? ''
      delete attributes[word]
      return { word, text: text.trim() }
    },
    takeElements(vendor, name, from = node) {
      const extensions = from.extensionElements
      const [taken = [], left = []] = partition(extensions?.values ?? [], ({ $type }) => {
        const [found, local] = partsOf($type)
        return found === vendor && local === name
      })
      if (extensions !== undefined && taken.length > 0) extensions.values = left
      return taken as unknown as readonly VendorElement[]
    },
    warn: (what) => tell({ elementId: visibleId(node), message: sentence(`${describe(node)} ${what}.`) }),
  })
}

/** The engines of a document by the prefixes that it, or one of its processes, declares for them. */
export function vendorsOf(definitions: BpmnElement): ReadonlyMap<string, Vendor> {
  const vendors = new Map<string, Vendor>()
  for (const { $attrs } of [definitions, ...(definitions.rootElements ?? [])])
    for (const [attribute, uri] of Object.entries($attrs)) {
      const vendor = attribute.startsWith('xmlns:') ? own(namespaces, uri) : undefined
      if (vendor !== undefined) vendors.set(attribute.slice('xmlns:'.length), vendor)
    }
  return vendors
}

function partition<T>(list: readonly T[], holds: (one: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(list, (one) => (holds(one) ? 'yes' : 'no'))
  return [yes, no]
}

/** A word with its text, as the document writes them, shortened. */
export const quoted = ({ word, text }: VendorWord): string =>
  word.startsWith('<') ? `${word.slice(0, -1)}="${text.slice(0, 80)}">` : `${word}="${text.slice(0, 80)}"`

/** An attribute of an element that is in no descriptor, as a word: `<zeebe:assignmentDefinition assignee>`. */
export const wordOf = (element: VendorElement, attribute: string): VendorWord | undefined =>
  typeof element[attribute] === 'string'
    ? { word: `<${element.$type} ${attribute}>`, text: element[attribute].trim() }
    : undefined

/** The name of an element without prefix. */
export const localName = ({ $type }: VendorElement): string => $type.slice($type.indexOf(':') + 1)

/** The children of a name without prefix. */
export const childrenOf = (element: VendorElement, name: string): readonly VendorElement[] =>
  (element.$children ?? []).filter((child) => localName(child) === name)
