/** A decision table as tests write it: a rule is its input cells, then its output cells. */
export interface TableSketch {
  readonly id?: string
  readonly hitPolicy?: string
  readonly aggregation?: string
  /** `name` or `name: type`, and the allowed values. */
  readonly inputs: readonly (string | readonly [name: string, allowed: string])[]
  /** The same, and the default. */
  readonly outputs: readonly (string | readonly [name: string, allowed: string, fallback?: string])[]
  readonly rules: readonly (readonly string[])[]
  readonly requires?: readonly string[]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const textOf = (text: string): string => `<text>${escaped(text)}</text>`

const clause = (sketch: TableSketch['outputs'][number]) => {
  const [written, allowed, fallback] = typeof sketch === 'string' ? [sketch] : sketch
  const [name = '', type] = written.split(':').map((part) => part.trim())
  return { name, typed: type === undefined ? '' : ` typeRef="${type}"`, allowed, fallback }
}

export const dmnNamespace = 'https://www.omg.org/spec/DMN/20191111/MODEL/'

/** Requirements of a decision by the ids of others. */
export const requirements = (ids: readonly string[]): string =>
  ids.map((id) => `<informationRequirement><requiredDecision href="#${id}"/></informationRequirement>`).join('')

/** A decision of a document. */
export function tableDecision({
  id = 'decision',
  inputs,
  outputs,
  rules,
  requires = [],
  ...table
}: TableSketch): string {
  const attributes = [
    table.hitPolicy === undefined ? '' : ` hitPolicy="${table.hitPolicy}"`,
    table.aggregation === undefined ? '' : ` aggregation="${table.aggregation}"`,
  ].join('')
  const columns = [
    ...inputs
      .map(clause)
      .map(
        ({ name, typed, allowed }) =>
          `<input label="${escaped(name)}"><inputExpression${typed}>${textOf(name)}</inputExpression>${
            allowed === undefined ? '' : `<inputValues>${textOf(allowed)}</inputValues>`
          }</input>`,
      ),
    ...outputs
      .map(clause)
      .map(
        ({ name, typed, allowed, fallback }) =>
          `<output name="${name}"${typed}>${allowed === undefined || allowed === '' ? '' : `<outputValues>${textOf(allowed)}</outputValues>`}${
            fallback === undefined ? '' : `<defaultOutputEntry>${textOf(fallback)}</defaultOutputEntry>`
          }</output>`,
      ),
  ].join('')
  const rows = rules
    .map((cells, index) => {
      const entries = cells.map((cell, at) =>
        at < inputs.length ? `<inputEntry>${textOf(cell)}</inputEntry>` : `<outputEntry>${textOf(cell)}</outputEntry>`,
      )
      return `<rule id="${id}_${index + 1}">${entries.join('')}</rule>`
    })
    .join('')
  return `<decision id="${id}" name="${id}">${requirements(requires)}<decisionTable${attributes}>${columns}${rows}</decisionTable></decision>`
}

/** A DMN document with these decisions. */
export const dmnDocument = (decisions: readonly string[], namespace = dmnNamespace): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<definitions xmlns="${namespace}" id="definitions" name="Test" namespace="urn:test">${decisions.join('')}</definitions>`

/** A DMN document with one table. */
export const tableDocument = (sketch: TableSketch): string => dmnDocument([tableDecision(sketch)])
