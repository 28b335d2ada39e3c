import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate, useRouter } from '@tanstack/react-router'
import User from 'lucide-react/icons/user-round'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../api/permissions.ts'
import type { CurrentUser } from '../api/session.ts'
import { type TableHead, tablesQuery } from '../api/tables.ts'
import { type Key, useKeys } from '../keyboard/keyboard.tsx'
import type { Language } from '../words/words.ts'

/** A screen that people go to from anywhere. Its route says so (`staticData`): navigation, palette and keys read it there. */
export interface Destination {
  /** Its name, here and not among the words of the screen: navigation says it before those are loaded. */
  readonly label: Label
  /** Among the tabs of the portal, where that is another name. */
  readonly tabLabel?: Label
  readonly Icon: ComponentType<{ readonly size: number; readonly 'aria-hidden'?: boolean }>
  /** Who may go there; left out, whoever is signed in. */
  readonly isFor?: (user: CurrentUser, tables: readonly TableHead[]) => boolean
  /** Besides the palette, which lists everything. */
  readonly listedIn?: readonly Place[]
  /** Lead there from within its frame, such as `g w`. */
  readonly keys?: string
}

type Label = Readonly<Record<Language, string>>

/** The navigation at the side of the workspace, and the tabs of the portal. */
type Place = 'side' | 'tabs'
type Frame = 'workspace' | 'portal'

/** A destination in the language of the reader. */
export interface Reached extends Pick<Destination, 'Icon' | 'keys'> {
  readonly label: string
  readonly tabLabel: string
  readonly to: NonNullable<LinkProps['to']>
  readonly frame: Frame
}

/** Both frames have a screen for it. */
export const profileDestination: Destination = {
  label: { en: 'Profile', de: 'Profil' },
  Icon: User,
  keys: 'g p',
}

/** Where the person who is signed in may go, in the order of the routes. */
export function useDestinations(place?: Place): readonly Reached[] {
  const { language } = useTranslation().i18n
  const user = useUser()
  const { routesById } = useRouter()
  const { data: tables = [] } = useQuery(tablesQuery)
  return Object.values(routesById).flatMap(({ fullPath, options }): readonly Reached[] => {
    const destination = options.staticData?.destination
    if (!destination || destination.isFor?.(user, tables) === false) return []
    if (place && !destination.listedIn?.includes(place)) return []
    const to = fullPath.replace(/(.)\/$/, '$1') as Reached['to']
    const { label, tabLabel = label, Icon, keys } = destination
    const frame = fullPath.startsWith('/portal') ? 'portal' : 'workspace'
    return [{ label: label[language as Language], tabLabel: tabLabel[language as Language], Icon, keys, to, frame }]
  })
}

/** Has the keys of the destinations work in a frame. */
export function useDestinationKeys(frame: Frame, more: readonly Key[]): void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const destinations = useDestinations().filter((one) => one.frame === frame)
  useKeys([
    ...more,
    ...destinations.flatMap(({ to, label, keys }) =>
      keys ? [{ keys, label: t('shell.keyGoTo', { name: label }), run: () => void navigate({ to }) }] : [],
    ),
  ])
}
