/** A table with as many filterable fields as a table may have: twelve, of every type that is filtered. */

const sources = ['mail', 'phone', 'web', 'chat']

export const sampleTable = {
  name: 'cases',
  table_fields: [
    { name: 'title', type: 'text', required: true, searchable: true, indexed: true },
    { name: 'description', type: 'textarea' },
    { name: 'source', type: 'value_list', options: sources.map((slug) => ({ slug })), indexed: true },
    { name: 'category', type: 'text', indexed: true },
    { name: 'location', type: 'text', indexed: true },
    { name: 'priority', type: 'integer', indexed: true },
    { name: 'impact', type: 'integer', indexed: true },
    { name: 'effort', type: 'integer', indexed: true },
    { name: 'cost', type: 'float', indexed: true },
    { name: 'is_urgent', type: 'boolean', indexed: true },
    { name: 'due_at', type: 'datetime', indexed: true },
    { name: 'planned_on', type: 'date', indexed: true },
    { name: 'assigned_to', type: 'integer', indexed: true },
  ],
}

/** A record of about 0.6 KB with a value in each field. */
export const sampleRecord = (n: number) => ({
  title: `Case ${n}: the printer on floor ${n % 9} is broken`,
  description: `It shows the error code ${n % 977}. `.repeat(8),
  source: sources[n % sources.length],
  category: `category ${n % 20}`,
  location: `building ${n % 7}`,
  priority: 1 + (n % 5),
  impact: 1 + (n % 3),
  effort: n % 40,
  cost: (n % 100) + 0.5,
  is_urgent: n % 10 === 0,
  due_at: new Date(1_800_000_000_000 + n * 60_000).toISOString(),
  planned_on: `2027-01-${String(1 + (n % 28)).padStart(2, '0')}`,
  assigned_to: 1 + (n % 10),
})
