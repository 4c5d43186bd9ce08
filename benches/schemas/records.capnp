# The data sets for Cap'n Proto. See README.md beside this file.
@0xb0d5f3a1c94e7726;

struct Address { x0 @0 :UInt8; x1 @1 :UInt8; x2 @2 :UInt8; x3 @3 :UInt8; }

struct Log {
  address @0 :Address;
  identity @1 :Text;
  user @2 :Text;
  date @3 :Text;
  request @4 :Text;
  status @5 :UInt16;
  size @6 :UInt64;
}

struct Logs { logs @0 :List(Log); }

struct Vector3 { x @0 :Float32; y @1 :Float32; z @2 :Float32; }
struct Triangle { a @0 :Vector3; b @1 :Vector3; c @2 :Vector3; normal @3 :Vector3; }
struct Mesh { triangles @0 :List(Triangle); }

struct Pair { x @0 :Float32; y @1 :Float32; }
struct Place { x @0 :Float64; y @1 :Float64; z @2 :Float64; }
struct Uuid { a @0 :UInt32; b @1 :UInt32; c @2 :UInt32; d @3 :UInt32; }

struct Abilities {
  walkSpeed @0 :Float32;
  flySpeed @1 :Float32;
  mayFly @2 :Bool;
  flying @3 :Bool;
  invulnerable @4 :Bool;
  mayBuild @5 :Bool;
  instabuild @6 :Bool;
}

struct Item { count @0 :Int8; slot @1 :UInt8; id @2 :Text; }

struct Entity {
  id @0 :Text;
  position @1 :Place;
  motion @2 :Place;
  rotation @3 :Pair;
  fallDistance @4 :Float32;
  fire @5 :UInt16;
  air @6 :UInt16;
  onGround @7 :Bool;
  noGravity @8 :Bool;
  invulnerable @9 :Bool;
  portalCooldown @10 :Int32;
  uuid @11 :Uuid;
  customName @12 :Text;
  customNameVisible @13 :Bool;
  silent @14 :Bool;
  glowing @15 :Bool;
}

struct Vehicle { uuid @0 :Uuid; entity @1 :Entity; }

struct RecipeBook {
  recipes @0 :List(Text);
  toBeDisplayed @1 :List(Text);
  isFilteringCraftable @2 :Bool;
  isGuiOpen @3 :Bool;
  isFurnaceFilteringCraftable @4 :Bool;
  isFurnaceGuiOpen @5 :Bool;
  isBlastingFurnaceFilteringCraftable @6 :Bool;
  isBlastingFurnaceGuiOpen @7 :Bool;
  isSmokerFilteringCraftable @8 :Bool;
  isSmokerGuiOpen @9 :Bool;
}

struct Player {
  gameType @0 :UInt8;
  previousGameType @1 :UInt8;
  score @2 :Int64;
  dimension @3 :Text;
  selectedItemSlot @4 :UInt32;
  selectedItem @5 :Item;
  spawnDimension @6 :Text;
  spawnX @7 :Int64;
  spawnY @8 :Int64;
  spawnZ @9 :Int64;
  spawnForced :union { none @10 :Void; some @11 :Bool; }
  sleepTimer @12 :UInt16;
  foodExhaustionLevel @13 :Float32;
  foodSaturationLevel @14 :Float32;
  foodTickTimer @15 :UInt32;
  xpLevel @16 :UInt32;
  xpProgress @17 :Float32;
  xpTotal @18 :Int32;
  xpSeed @19 :Int32;
  inventory @20 :List(Item);
  enderItems @21 :List(Item);
  abilities @22 :Abilities;
  enteredNetherPosition @23 :Place;
  rootVehicle @24 :Vehicle;
  shoulderEntityLeft @25 :Entity;
  shoulderEntityRight @26 :Entity;
  seenCredits @27 :Bool;
  recipeBook @28 :RecipeBook;
}

struct Players { players @0 :List(Player); }

struct Transform { altitude @0 :Int8; angle @1 :UInt16; position @2 :Pair; velocity @3 :Int16; }
struct Guidance { angle @0 :UInt16; submerge @1 :Bool; velocity @2 :Int16; }
struct Chunk { x @0 :Int8; y @1 :Int8; }

struct Contact {
  damage @0 :UInt8;
  entityId @1 :UInt32;
  entityType :union { none @2 :Void; some @3 :UInt8; }
  guidance @4 :Guidance;
  playerId :union { none @5 :Void; some @6 :UInt16; }
  reloads @7 :List(Bool);
  transform @8 :Transform;
  turretAngles @9 :List(UInt16);
}

struct TerrainUpdate { chunk @0 :Chunk; data @1 :Data; }

struct Update {
  contacts @0 :List(Contact);
  score @1 :UInt32;
  worldRadius @2 :Float32;
  terrainUpdates @3 :List(TerrainUpdate);
}

struct Updates { updates @0 :List(Update); }
