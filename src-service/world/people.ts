import type { Region } from './rows.ts'

/** Companies of the demo; none of them exists. The region is where they keep their data. */
export const companies: readonly { name: string; region: Region; domain: string }[] = [
  { name: 'Brightwater Insurance', region: 'US-1', domain: 'brightwater.example' },
  { name: 'Nordlicht Energie AG', region: 'EU-1', domain: 'nordlicht.example' },
  { name: 'Meridian Freight', region: 'US-1', domain: 'meridianfreight.example' },
  { name: 'Castellane & Fils', region: 'EU-1', domain: 'castellane.example' },
  { name: 'Helvetia Präzision', region: 'EU-1', domain: 'helvetia-praezision.example' },
  { name: 'Cobalt Ridge Health', region: 'US-1', domain: 'cobaltridge.example' },
  { name: 'Larkspur Studios', region: 'US-1', domain: 'larkspur.example' },
  { name: 'Øresund Logistik', region: 'EU-1', domain: 'oresund.example' },
  { name: 'Sakura Components K.K.', region: 'US-1', domain: 'sakura-components.example' },
  { name: 'Hollister & Vane LLP', region: 'US-1', domain: 'hollistervane.example' },
  { name: 'Universität Rosengarten', region: 'EU-1', domain: 'uni-rosengarten.example' },
  { name: 'Granite State Bank', region: 'US-1', domain: 'granitestate.example' },
  { name: 'Veldhoven Optics', region: 'EU-1', domain: 'veldhoven-optics.example' },
  { name: 'Pinecrest Foods', region: 'US-1', domain: 'pinecrest.example' },
  { name: 'Łódź Maszyny', region: 'EU-1', domain: 'lodz-maszyny.example' },
  { name: 'Tidewater County', region: 'US-1', domain: 'tidewater.example' },
]

export const givenNames: readonly string[] = ['Anna', 'Jürgen', 'Maria', 'Liam', 'Chloé', 'Noah', 'Søren', 'Emily', 'Priya', 'Yuki', 'Carlos', 'Zoë', 'Oliver', 'Fatima', 'Jakub', 'Grace', 'Tomás', 'Ingrid', 'Wei', 'Hannah']

export const familyNames: readonly string[] = ['Müller', 'Smith', 'García', 'Nguyen', 'Kowalski', 'Dubois', 'Larsen', 'Tanaka', 'Patel', "O'Connor", 'Rossi', 'Schäfer', 'Johnson', 'Andersson', 'Chen', 'Lefèvre', 'Novák', 'Brown', 'Yilmaz', 'Petrov']
