import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import Table from 'lucide-react/icons/table-2'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { may, readable, useUser } from '../api/permissions.ts'
import { searchQuery } from '../api/search.ts'
import { articlesTable, labelOf, tablesQuery } from '../api/tables.ts'
import { profileDestination, useDestinations } from './destinations.ts'
import { takeKeys } from './held-keys.ts'

/** Finds tables, actions and records by words. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [search] = useDebouncedValue(query.trim(), 150)
  const { data: tables = [] } = useQuery(tablesQuery)
  const frame = useRouterState({
    select: ({ location }) => (/^\/portal(\/|$)/.test(location.pathname) ? 'portal' : 'workspace'),
  })
  // Both frames have a profile: the one of the frame that is open.
  const destinations = useDestinations().filter((one) => one.Icon !== profileDestination.Icon || one.frame === frame)
  // The dialog opens with the component, and takes it away when it closes.
  useEffect(() => spotlight.open(), [])
  /** Enter was pressed before the records were there: the first hit is opened once they are. */
  const [isEntered, setEntered] = useState(false)
  /** Something further down was chosen with the arrows. */
  const hasMoved = useRef(false)
  const change = (text: string): void => {
    hasMoved.current = false
    setEntered(false)
    setQuery(text)
  }
  function begin(): void {
    const held = takeKeys()
    if (held.text !== '') change(query + held.text)
    setEntered(held.isEntered)
  }

  const matches = (text: string): boolean => text.toLowerCase().includes(query.trim().toLowerCase())
  const own = tables.filter((table) => !table.is_system)
  const actions = [
    ...readable(user, tables).map((table) => ({
      id: `open ${table.name}`,
      label: labelOf(table),
      icon: <Table size={16} />,
      run: () =>
        table.name === articlesTable
          ? navigate({ to: '/articles' })
          : navigate({ to: '/e/$model', params: { model: table.name } }),
    })),
    ...own
      .filter(({ name }) => may(user, 'create', name))
      .map((table) => ({
        id: `new ${table.name}`,
        label: t('palette.create', { table: labelOf(table) }),
        icon: <Plus size={16} />,
        run: () => navigate({ to: '/e/$model/new', params: { model: table.name } }),
      })),
    ...destinations.map(({ to, label, Icon }) => ({
      id: to,
      label,
      icon: <Icon size={16} />,
      run: () => navigate({ to }),
    })),
  ].filter(({ label }) => matches(label))
  const openRecord = (model: string, id: string) =>
    model === articlesTable
      ? navigate({ to: '/articles/$id', params: { id } })
      : navigate({ to: '/e/$model/$id', params: { model, id } })
  const isAsked = search.length > 1
  const { data, isFetching } = useQuery({ ...searchQuery(search), enabled: isAsked })
  const found = isAsked ? (data ?? []) : []
  const isSearching = query.trim() !== search || (isAsked && isFetching)
  const hits = [
    ...found.flatMap(({ model, records }) => records.map(({ id }) => `${model} ${id}`)),
    ...actions.map(({ id }) => id),
  ]
  const list = useRef<HTMLDivElement>(null)
  const shownHits = hits.join('\n')
  const choose = useEffectEvent(() => {
    if (query.trim() === '' || hasMoved.current) return
    // What was found meanwhile stands before what was chosen.
    const [hit, ...others] = list.current?.querySelectorAll<HTMLElement>('[data-action]') ?? []
    for (const other of others) other.removeAttribute('data-selected')
    hit?.setAttribute('data-selected', 'true')
    if (!isEntered || isSearching) return
    setEntered(false)
    hit?.click()
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the list is drawn by Mantine: what it shows is known afterwards
    choose()
  }, [shownHits, isEntered, isSearching])
  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') hasMoved.current = true
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || hasMoved.current || !isSearching) return
    event.preventDefault()
    event.stopPropagation()
    setEntered(true)
  }

  return (
    <Spotlight.Root
      query={query}
      onQueryChange={change}
      onKeyDownCapture={press}
      onSpotlightClose={onClose}
      scrollable
      maxHeight={420}
      shortcut={null}
      lockScroll={false}
      removeScrollProps={{ enabled: false }}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        onFocus={begin}
        leftSection={<Search size={18} />}
      />
      <Spotlight.ActionsList ref={list}>
        {found.map(({ model, label, records }) => (
          <Spotlight.ActionsGroup key={model} label={label}>
            {records.map(({ id, title, matched_in: where }) => (
              <Spotlight.Action
                key={id}
                label={title ?? `#${id}`}
                description={[`${label} ${id}`, ...(wasSaid(where) ? [t('palette.inConversation')] : [])].join(' · ')}
                onClick={() => void openRecord(model, String(id))}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        <Spotlight.ActionsGroup label={t('palette.actions')}>
          {actions.map(({ id, label, icon, run }) => (
            <Spotlight.Action key={id} label={label} leftSection={icon} onClick={() => void run()} />
          ))}
        </Spotlight.ActionsGroup>
        {found.length === 0 && actions.length === 0 && <Spotlight.Empty>{t('palette.empty')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** Whether words were found in comments or messages. */
const wasSaid = (where: readonly string[] | undefined): boolean =>
  where?.some((one) => one === 'comments' || one === 'messages') === true
