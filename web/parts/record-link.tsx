import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { titleQuery } from '../api/records.ts'
import { tableQuery } from '../api/tables.ts'

interface RecordLinkProps {
  readonly model: string
  readonly id: number
  /** What it says, where that is known; else the title of the record. */
  readonly title?: string | undefined
  readonly className?: string
  readonly onOpen?: () => void
}

/** A link to a record, by its title. */
export function RecordLink({ model, id, title, className, onOpen }: RecordLinkProps) {
  const isKnown = title !== undefined
  const { data: table } = useQuery({ ...tableQuery(model), enabled: !isKnown })
  const { data: read } = useQuery({ ...titleQuery(model, id, table?.title_field), enabled: table !== undefined })
  return (
    <Link to="/e/$model/$id" params={{ model, id: String(id) }} className={className} onClick={onOpen}>
      {title ?? read ?? `#${id}`}
    </Link>
  )
}
