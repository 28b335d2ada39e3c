import BookOpen from 'lucide-react/icons/book-open'
import Calendar from 'lucide-react/icons/calendar'
import Car from 'lucide-react/icons/car'
import CreditCard from 'lucide-react/icons/credit-card'
import DoorOpen from 'lucide-react/icons/door-open'
import FileText from 'lucide-react/icons/file-text'
import Headphones from 'lucide-react/icons/headphones'
import Key from 'lucide-react/icons/key'
import Keyboard from 'lucide-react/icons/keyboard'
import Laptop from 'lucide-react/icons/laptop'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import Mail from 'lucide-react/icons/mail'
import Monitor from 'lucide-react/icons/monitor'
import Package from 'lucide-react/icons/package'
import Phone from 'lucide-react/icons/phone'
import Plane from 'lucide-react/icons/plane'
import Printer from 'lucide-react/icons/printer'
import Shield from 'lucide-react/icons/shield'
import Smartphone from 'lucide-react/icons/smartphone'
import Users from 'lucide-react/icons/users'
import Wifi from 'lucide-react/icons/wifi'
import Wrench from 'lucide-react/icons/wrench'
import { createElement } from 'react'

/** The pictures that an item may name. */
const icons = new Map(
  Object.entries({
    book: BookOpen,
    calendar: Calendar,
    car: Car,
    card: CreditCard,
    door: DoorOpen,
    headphones: Headphones,
    help: LifeBuoy,
    key: Key,
    keyboard: Keyboard,
    laptop: Laptop,
    mail: Mail,
    monitor: Monitor,
    package: Package,
    phone: Phone,
    plane: Plane,
    printer: Printer,
    shield: Shield,
    smartphone: Smartphone,
    users: Users,
    wifi: Wifi,
    wrench: Wrench,
  }),
)

/** The picture of an item; a sheet where the name is not known. */
export function ItemIcon({ name }: { readonly name: string | null | undefined }) {
  return (
    <span className="item-icon" aria-hidden>
      {createElement(icons.get(name ?? '') ?? FileText, { size: 20 })}
    </span>
  )
}
