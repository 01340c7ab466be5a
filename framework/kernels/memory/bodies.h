/* The yardsticks of a kind of memory. Integers wrap around where they leave their 32 bits. */

QN_BODY void memory_add_point(memory_add_arguments a, qn_index i, qn_index j) {
  for (qn_index round = 0; round < a.rounds; ++round)
    *QN_AT(a.x, i, j) = (qn_index32)((qn_index)*QN_AT(a.x, i, j) + a.value);
}

QN_BODY void memory_atomic_add_point(memory_atomic_add_arguments a, qn_index i, qn_index j) {
  for (qn_index round = 0; round < a.rounds; ++round) QN_ADD(QN_AT(a.x, a.apart * i, a.apart * j), (qn_index32)a.value);
}

QN_BODY void memory_shared_add_point(memory_shared_add_arguments a, qn_index i, qn_index j) {
  for (qn_index round = 0; round < a.rounds; ++round)
    QN_ADD_SHARED(QN_AT(a.x, a.apart * i, a.apart * j), (qn_index32)a.value);
}
