import { documentOf } from '../processes/engine-documents.ts'

/** A valid script of about so many bytes, another one for each `seed`. */
function longScript(seed: string, bytes: number): string {
  const lines = [`const seed = "${seed}"`]
  for (let length = 0, n = 0; length < bytes; n += 1) {
    const line = `if ($data.note === "${seed} ${n}") { $data.note = "changed \\"${n}\\" by " + seed }`
    lines.push(line)
    length += line.length + 1
  }
  return lines.join('\n')
}

/** So many options; slugs and labels as people choose them. */
const options = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ slug: `option_${n}`, label: `Option number ${n}`, color: '#1677ff' }))

/** A table of about 290 KB: four hooks near 64 KB, options near 1,000. It refers to the next one of `count`, in a circle. */
const largeTable = (n: number, count: number) => ({
  name: `table_${n}`,
  label: `Table ${n}`,
  title_field: 'title',
  table_fields: [
    { name: 'title', type: 'text', required: true },
    { name: 'note', type: 'textarea' },
    { name: 'next_id', type: 'model_list', target_table: `table_${(n + 1) % count}` },
    { name: 'kind', type: 'value_list', options: options(500) },
  ],
  automations: (['before_create', 'after_create', 'before_update', 'after_update'] as const).map((kind, index) => ({
    kind,
    name: `${kind} of ${n}`,
    script: longScript(`${kind} ${n}`, 60_000),
    is_active: n % 2 === 0,
    position: index + 1,
  })),
})

const process = (n: number) => ({
  name: `process-${n}`,
  label: `Process ${n}`,
  table: `table_${n}`,
  bpmn_xml: documentOf(
    `<documentation>${`Step ${n} is described here at length. `.repeat(4000)}</documentation><startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/>`,
  ),
  is_auto_start: false,
  is_active: true,
})

const rule = (n: number, tables: number) => ({
  name: `rule ${n}`,
  channel: 'email',
  is_automatic: true,
  target_model: `table_${n % tables}`,
  field_mapping: { title: 'subject' },
  script: longScript(`rule ${n}`, 20_000),
  button_label: null,
  button_color: null,
  condition: { subject: { _icontains: `order ${n}` } },
  on_reply: 'comment',
  position: n,
  is_active: true,
  send_comments: false,
})

/** A configuration of every kind, complete as an export writes it. 60 tables make about 20 MB. */
export function largeConfiguration(tables: number) {
  const few = Math.ceil(tables / 6)
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  return {
    tables: numbers(tables).map((n) => largeTable(n, tables)),
    roles: numbers(tables).map((n) => ({
      name: `office_${n}`,
      permissions: [`table_${n}.*`],
      rules: [{ table: `table_${n}`, action: 'read', filter: { kind: { _eq: 'option_1' } } }],
      fields: { [`table_${n}`]: { read: ['title', 'kind'] } },
      mfa_required: false,
    })),
    relations: numbers(tables).map((n) => ({
      name: `relation_${n}`,
      l_table: `table_${n}`,
      r_table: `table_${(n + 2) % tables}`,
    })),
    processes: numbers(few).map(process),
    templates: numbers(few).map((n) => ({
      name: `template_${n}`,
      label: `Template ${n}`,
      subject: `Hello {{name}} ${n}`,
      body: `<p>Text ${n} for {{name}}, and "more".</p>\n`.repeat(2000),
      translations: {},
    })),
    incoming_actions: numbers(few).map((n) => rule(n, tables)),
  }
}
