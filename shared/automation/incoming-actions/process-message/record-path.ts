/** Members that every record has. */
export const standardMembers: readonly string[] = [
  'id',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'version',
]

/** The field of the record that a source names; undefined: it is a path into the message. */
export const recordFieldOf = (source: string): string | undefined => /^record\.(.*)$/s.exec(source)?.[1]
