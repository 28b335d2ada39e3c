import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useTranslation } from 'react-i18next'
import type { Group } from '../api/records.ts'
import type { Field } from '../api/tables.ts'
import { moduleOf } from '../fields/registry.ts'
import { groupKey } from './layout.ts'

interface GroupHeadProps {
  readonly index: number
  readonly top: number
  readonly isActive: boolean
  readonly field: Field
  readonly group: Group
  readonly isClosed: boolean
  readonly onToggle: (key: string) => void
}

/** The head of a group with its exact count; it opens and closes the group. */
export function GroupHead({ index, top, isActive, field, group, isClosed, onToggle }: GroupHeadProps) {
  const { t } = useTranslation()
  const { Show } = moduleOf(field)
  return (
    <div
      className="grid-row group-head"
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="gridcell" className="grid-cell">
        <button
          type="button"
          className="column-head"
          data-line={index}
          tabIndex={isActive ? 0 : -1}
          aria-expanded={!isClosed}
          onClick={() => onToggle(groupKey(group))}
        >
          {isClosed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          {group.value === null ? t('queue.withoutValue') : <Show field={field} value={group.value} />}
          <span className="count">{group.count}</span>
        </button>
      </div>
    </div>
  )
}
