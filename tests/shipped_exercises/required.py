"""Which known mistakes each exercise must tell, and which of them are other conventions.

Those of positional encodings are of a survey of 176 public implementations; an exercise may have
more. Exercises whose
mistakes are tested elsewhere (tests/grader) are not named again.
"""

KNOWN_MISTAKES = {
    "inv-freq": """freq_double freq_half freq_t2t freq_no_neg freq_base_fixed
        freq_one_indexed freq_full_d freq_precedence freq_e_base freq_natural_log10
        freq_wavelength odd_crash default_1000 odd_too_few rounded_up_d as_column
        half_result""",
    "sinusoidal-at": """uses_arange_len int_cast float32_angle float16_pos table_5000 clip
        flattened exp_double exp_half swap concat cos_own_exponent t2t_interleaved
        t2t_concat cosines_first float32_freq float32_freq_exp""",
    "learned-positions": """buffer off_by_one offset2 batch_dim all_rows clamp mod detach frozen
        reversed padding0 one_vector returns_pe recreated not_buffer table_transposed
        scale_sqrt_d""",
    "rope-angles": """cat_full repeat_full swapped exp_half exp_double pos_one one_indexed_theta
        outer_with_base base_fixed base_default t2t int_dtype half_precision""",
    "apply-rope-half": """interleaved sign_il sign_half mix_slice_cat mix_slice_rep
        mix_il_cat_angles mix_half_rep_angles mix_half_stack both_first_half no_minus noop
        out_concat head_axis additive cos_only reals_wrong dim_bug swapped_cs not_joined
        half_result in_place first_head""",
    "rotary": """freq_full_dim rotate_all rotate_last drop_rest no_offset q_only k_only k_neg
        gqa_crash scaled offset_q_only rotates_v_like_k_twice exp_double exp_half t2t pos_one
        no_minus mix_slice_cat mix_half_rep_angles mix_il_cat_angles k_repeated half_result
        overwritten_arguments half_angles head_axis length_of_heads""",
    "rope-scaling": """lin_mul lin_base ntk_no_pow ntk_exp_d ntk_inv ntk_is_linear ntk_half
        base_fixed exp_double exp_half ntk_and_linear falls_through linear_is_ntk ntk_unscaled
        repeated half_precision""",
    "relative-index": """no_clip no_shift sign abs clip_after k_minus_1 transposed square
        plus_one modulo end_aligned square_of_keys clip_below_only clip_above_only rows_2k
        small_type""",
    "t5-bucket": """flip zero_upper no_halving no_sign causal_abs causal_future causal_noclamp
        always_bi never_bi linear log_mixed log_round log_ceil no_cap cap_nb buckets_fixed
        distance_fixed flip_noclamp""",
    "relative-position-bias": """sign rows_2k rows_k no_clip no_shift one_head hlast swap_qk detach
        buffer scaled causal end_aligned not_buffer""",
    "alibi-slopes": """geometric_any_n start_at_1 extra_halved extra_1_2 extra_first sorted
        no_8 linear negative power_h reversed next_pow2 for_scores left_over_first""",
    "alibi-bias": """sign zero_past key_pos symmetric sqrt log one_slope plus_one mask_zero
        no_mask start_aligned transposed scaled neg_big neg_10000 neg_float16 neg_float32
        neg_float64 half_result mask_strict start_at_1 next_power_up extra_first extra_1_2
        sorted""",
    "shift-matrix": """transposed concat no_minus one_frequency exp_double base_fixed
        blocks_stacked one_position few_positions k_negative_ignored zero_is_one
        default_1000 whole_numbers half_result""",
    "shaw-attention": """keys_unscaled values_forgotten one_table sign no_clip no_shift abs
        clip_fixed heads_after_queries half_result in_place""",
    "attention-with-hooks": """no_embeddings_hook no_queries_and_keys_hook no_scores_hook
        no_values_hook values_turned scores_hook_before_scale heads_reshaped heads_not_joined""",
    "positions-from-mask": """column_index column_at_tokens gaps_counted from_one
        negative_at_padding clipped one_at_padding minus_one_at_padding across_rows down_columns
        first_row_for_all from_the_right inverted ends_at_the_last_column small_type flat
        tokens_alone mask_overwritten""",
    "packed-positions": """no_reset mask_missing not_causal strict by_value mask_by_value
        positions_by_value only_rising falling_positions reset_late from_one document_numbers
        hidden_is_true transposed added_to_scores small_type first_begin_missing
        documents_overwritten""",
    "sliding-mask": """added_to_scores both_sides cache_always_seen causal_by_row chunks
        first_always_seen half_window ignores_cache inverted last_window_for_all minus_one
        negative_start no_window not_causal not_itself plus_one short_texts_unmasked
        start_aligned transposed window_before_itself window_by_row""",
    "partial-or-proportional": """adjacent all_pairs_turn angles_repeated base_fixed
        exponent_without_two frequencies_at_the_end half_result head_by_the_part
        kinds_exchanged last_numbers_turn no_minus out_of_place pairs_across_for_partial
        pairs_in_front part_by_the_head partial_for_proportional positions_by_row
        positions_from_the_first proportional_for_partial share_ignored share_twice
        slowest_turn squeezed tail_dropped tail_frequency_one tail_in_front tail_not_kept
        turned_back twice_the_pairs x_overwritten""",
    "read-config": """default_base old_base_default missing_base_guessed ignores_scaling
        scaling_of_old_files_only multiplied factor_on_base null_crashes type_unread
        rope_type_unread other_types_default other_types_linear flag_inverted flags_unread
        flag_of_the_layer_before zeros_without_rope every_fourth_by_default one_rope_for_all
        one_scaling_for_all types_swapped flat_crashes whole_head_for_part part_of_the_ladder
        share_at_the_top_only share_inside_only half_by_default each_column exp_half
        half_precision""",
    "softmax-rows": """no_max global_max max_of_hidden mask_after mask_zero mask_inverted neg_1e9
        hidden_row_nan axis_ignored whole_array no_division sum_unshifted added_penalty
        hidden_after_powers""",
    "causal-attention": """no_scale scale_by_d scale_times scale_of_values scale_of_length
        softmax_over_queries softmax_over_all causal_ignored mask_strict mask_ahead mask_inverted
        mask_zero mask_after_softmax max_of_hidden no_max keys_as_values all_axes_turned""",
}

CONVENTIONS = {
    "learned-positions": {"offset2"},
    "rope-angles": {"cat_full", "repeat_full", "swapped"},
    "apply-rope-half": {"interleaved", "sign_il", "sign_half", "out_concat"},
    "relative-index": {"end_aligned", "transposed"},
    "alibi-bias": {
        *("neg_big", "neg_10000", "neg_float16", "neg_float32", "neg_float64"),
        *("key_pos", "transposed"),
    },
    "shift-matrix": {"transposed", "concat"},
    "relative-position-bias": {"end_aligned"},
    "rotary": {"adjacent", "sign", "pos_one"},
    "sinusoidal-at": {"concat", "cosines_first", "t2t_interleaved", "t2t_concat"},
    "shaw-attention": {"end_aligned"},
    "positions-from-mask": {"one_at_padding"},
    "sliding-mask": {"inverted", "transposed", "added_to_scores"},
    "partial-or-proportional": {"adjacent", "turned_back"},
    "read-config": {"zeros_without_rope"},
    "packed-positions": {"hidden_is_true", "transposed", "added_to_scores"},
}
