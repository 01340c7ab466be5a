/* What an update of entities needs. Arrays hold one entity a lane: value k of entity e lies at [k * pitch + e].
 *
 * An entity is made of sub-quads, one a slot. In the entity's own scaled frame a sub-quad has its corners,
 * counter-clockwise, at the entity's centre (0, 0) and at A, B, C; B is the centre of the old entity of that
 * slot, and the lateral faces are A->B and B->C. A boundary half face goes from (x0, y0) to (x1, y1), and B is the
 * centre of the old entity that lies behind it. Unused slots and faces are all zeros and add nothing. */

#define DG_GEOMETRY 7 /* of a slot: A, B, C, and the entity's length over that of the old one */
#define DG_REGION 8   /* of a quadrilateral: a corner, and the others counter-clockwise, seen from that one */
#define DG_FACE 8     /* of a half face: x0, y0, x1, y1, B, that ratio, and the condition's kind */

/* Of a slot where the law has a bed: its heights at the points of the sub-quad, row by row, then at those of A->B, of
 * B->C, and of the edges from C to the centre and from there to A. */
#define DG_BED (DG_POINTS * DG_POINTS + 4 * DG_POINTS)

/* Kinds of condition, so that everything from DG_OPEN on has its own state outside, too. */
#define DG_DISCHARGE (-2) /* with a bed: only the discharge is given, or the surface */
#define DG_STAGE (-1)
#define DG_DIRICHLET 0
#define DG_OPEN 1
#define DG_WALL 2

/* Parts of a half step, for `parts`. What an earlier launch has done is taken from `rhs`, and what a later one will
 * need is left there. All in one launch need no `rhs`. */
#define DG_LATERAL 1 /* the lateral fluxes of the old solution */
#define DG_BOTTOM 2  /* its integrals over the bottom of the sub-quads */
#define DG_JOIN 4    /* both become the right-hand side, with fluxes through boundaries that see the old solution */
#define DG_SOLVE 8   /* the sweeps */
#define DG_ALL 15

/* How the entities of a launch are found, for `remapping`. Without either, all of them have boundary faces, those of
 * entity e in lane e - first_lane, and are taken as they lie. */
#define DG_BY_FACE_LANE 1 /* some have boundary faces: face_lane tells */
#define DG_BY_SEQUENCE 2  /* one after the other of the list `sequence` */

/* What the arrays hold (kernels.h has the rest):
 *   own         DG_BASIS a variable: the previous polynomials, replaced by the new ones; over a bed then the share of
 *               its flow that an entity has water for, below 0 unless it is at a shore, and the mean depth
 *   old         those of the entities around, old_pitch apart
 *   neighbour   slots: the old entity of each
 *   geometry    DG_GEOMETRY a slot
 *   region      DG_REGION, where the sub-quads of each entity make up one quadrilateral
 *   factor      inverse Cholesky factor of the spatial Gram matrix, rows of its triangle
 *   moments     integrals of X^i Y^j over the region, up to degree 3 p - 1; old_moments those of the old entities
 *   inverse_length  one over the entity's length
 *   bed         DG_BED a slot, of each entity by itself
 *   face_bed    faces: the bed at DG_POINTS points
 *   bed_slope   of a limiter: the bed's mean over the region, and its mean slopes along x and y
 *   behind      faces: the old entity of each
 *   face        DG_FACE a face
 *   outside     faces: states at DG_POINTS points by DG_POINTS times, variable fastest
 *   face_lane   the entity's lane l in the arrays of faces, or -1 - l where it has no face. Where one of an entity
 *               group has some, the lanes of the group are adjacent, because packs compute its entities together, and
 *               those of the others hold unused faces
 *   sequence    the entities of the launch, each once
 *   rhs         DG_BASIS a variable: the right-hand side, then DG_SPACE: the bottom's; over a bed then what DG_SUMS has
 *               more
 *   threshold   of the jump relative to the largest value; negative: limit in any case
 * and the numbers:
 *   whole       1: a volume term by points, as a flux that is no power wants it, takes those of the region, else those
 * of each sub-quad first_lane  the arrays of faces and of shapes (geometry, region, factor, moments) have their lane 0
 * at this entity sweeps      of each local solve boundary_sweeps  no fewer: of those with a boundary flux that sees the
 * new polynomial shape_mask  of an update: entity first_lane + l has the shape in lane l & shape_mask; -1: each its
 * own; else one less than a power of two which is a whole number of entity groups from_mean   1: the sweeps start from
 * the mean of the old solution, else from the previous polynomial implicit    1: boundary fluxes see the new
 * polynomial, else the old one behind the face tau         half a time step */
