/** The part of the world a city lies in. A tenant's region says where its data is kept, and where most of its sites are. */
export type Part = 'US' | 'EU' | 'AP'

export type City = { name: string; code: string; part: Part; language: 'en' | 'de' | 'fr' | 'ja' | 'zh' }

export const cities: readonly City[] = [
  { name: 'Austin', code: 'AUS', part: 'US', language: 'en' },
  { name: 'Boston', code: 'BOS', part: 'US', language: 'en' },
  { name: 'Chicago', code: 'CHI', part: 'US', language: 'en' },
  { name: 'Dallas', code: 'DAL', part: 'US', language: 'en' },
  { name: 'Denver', code: 'DEN', part: 'US', language: 'en' },
  { name: 'Atlanta', code: 'ATL', part: 'US', language: 'en' },
  { name: 'Seattle', code: 'SEA', part: 'US', language: 'en' },
  { name: 'New York', code: 'NYC', part: 'US', language: 'en' },
  { name: 'San José', code: 'SJC', part: 'US', language: 'en' },
  { name: 'Minneapolis', code: 'MSP', part: 'US', language: 'en' },
  { name: 'Phoenix', code: 'PHX', part: 'US', language: 'en' },
  { name: 'Raleigh', code: 'RDU', part: 'US', language: 'en' },
  { name: 'Toronto', code: 'YYZ', part: 'US', language: 'en' },
  { name: 'Montréal', code: 'YUL', part: 'US', language: 'fr' },
  { name: 'Guadalajara', code: 'GDL', part: 'US', language: 'en' },
  { name: 'Berlin', code: 'BER', part: 'EU', language: 'de' },
  { name: 'München', code: 'MUC', part: 'EU', language: 'de' },
  { name: 'Hamburg', code: 'HAM', part: 'EU', language: 'de' },
  { name: 'Düsseldorf', code: 'DUS', part: 'EU', language: 'de' },
  { name: 'Frankfurt', code: 'FRA', part: 'EU', language: 'de' },
  { name: 'Zürich', code: 'ZRH', part: 'EU', language: 'de' },
  { name: 'Wien', code: 'VIE', part: 'EU', language: 'de' },
  { name: 'Paris', code: 'PAR', part: 'EU', language: 'fr' },
  { name: 'Lyon', code: 'LYS', part: 'EU', language: 'fr' },
  { name: 'London', code: 'LON', part: 'EU', language: 'en' },
  { name: 'Dublin', code: 'DUB', part: 'EU', language: 'en' },
  { name: 'Amsterdam', code: 'AMS', part: 'EU', language: 'en' },
  { name: 'København', code: 'CPH', part: 'EU', language: 'en' },
  { name: 'Göteborg', code: 'GOT', part: 'EU', language: 'en' },
  { name: 'Kraków', code: 'KRK', part: 'EU', language: 'en' },
  { name: 'Málaga', code: 'AGP', part: 'EU', language: 'en' },
  { name: 'Milano', code: 'MIL', part: 'EU', language: 'en' },
  { name: 'Singapore', code: 'SIN', part: 'AP', language: 'en' },
  { name: 'Sydney', code: 'SYD', part: 'AP', language: 'en' },
  { name: 'Bengaluru', code: 'BLR', part: 'AP', language: 'en' },
  { name: '東京', code: 'TYO', part: 'AP', language: 'ja' },
  { name: '大阪', code: 'OSA', part: 'AP', language: 'ja' },
  { name: '上海', code: 'SHA', part: 'AP', language: 'zh' },
]

/** What buildings are called after the city's name; the first site of a tenant is its head office. */
export const buildings: Record<City['language'], readonly string[]> = {
  en: ['HQ', 'Campus', 'Tower', 'Riverside', 'Park', 'Exchange', 'Warehouse', 'Customer Center', 'Innovation Lab', 'Annex'],
  de: ['Zentrale', 'Campus Nord', 'Campus Süd', 'Werk 1', 'Werk 2', 'Am Hafen', 'Bürohaus', 'Forschung', 'Kundenzentrum', 'Logistik'],
  fr: ['Siège', 'La Défense', 'Campus', 'Tour Nord', 'Atelier', 'Gare', 'Entrepôt', 'Recherche', 'Annexe', 'Accueil'],
  ja: ['本社', '支社', '研究所', '新館', '別館', '物流センター', '丸の内', '港', '工場', '研修所'],
  zh: ['总部', '分公司', '研发中心', '浦东', '二期', '物流园', '工厂', '客户中心', '东楼', '西楼'],
}

/** Rooms that carry a name instead of a number. */
export const roomNames: Record<City['language'], readonly string[]> = {
  en: ['Boardroom', 'Aurora', 'Borealis', 'Cedar', 'Delta', 'Everest', 'Fjord', 'Granite', 'Harbour', 'Iris', 'Juniper', 'Kepler', 'Lighthouse', 'Meridian', 'Nebula', 'Orchard', 'Town Hall', 'War Room', 'Training A', 'Training B'],
  de: ['Großer Saal', 'Vorstand', 'Alster', 'Brocken', 'Elbe', 'Feldberg', 'Isar', 'Kästner', 'Möwe', 'Rügen', 'Spree', 'Watzmann', 'Schulung 1', 'Schulung 2', 'Oderbruch'],
  fr: ['Grande salle', 'Conseil', 'Étoile', 'Garonne', 'Lumière', 'Molière', 'Pyrénées', 'Rhône', 'Voltaire', 'Formation', 'Curie', 'Loire'],
  ja: ['大会議室', '役員会議室', 'さくら', '富士', '桂', '若葉', '研修室', '応接室', '楓', '銀河'],
  zh: ['大会议室', '董事会议室', '黄山', '西湖', '长江', '培训室', '接待室', '泰山', '明月', '清风'],
}

/** How a numbered room is written where that language is spoken. */
export const numberedRoom: Record<City['language'], (number: string) => string> = {
  en: (number) => `Room ${number}`,
  de: (number) => `Raum ${number}`,
  fr: (number) => `Salle ${number}`,
  ja: (number) => `会議室 ${number}`,
  zh: (number) => `会议室 ${number}`,
}
