//! Bytes of words compressed and expanded 64 at a time, by AVX-512 VBMI2 where the processor has it.
//!
//! # Safety
//!
//! Functions for these instructions are called only after the processor has been asked for them. Memory is read and
//! written only through pointers to arrays of 64 bytes, which are borrowed meanwhile.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    _mm512_loadu_si512, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8, _mm512_storeu_si512,
    _mm512_test_epi8_mask,
};

/// Returns whether the processor has the instructions.
fn is_there() -> bool {
    is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vbmi2")
}

/// Does what [`squeeze`](super::coding::squeeze) does; `None` if the processor cannot.
pub fn squeeze(words: &[u64], masks: &mut [u64], bytes: &mut [u8]) -> Option<usize> {
    // SAFETY: the processor has the instructions.
    is_there().then(|| unsafe { squeeze_wide(words, masks, bytes) })
}

/// Does what [`stretch`](super::coding::stretch) does; the outer `None` if the processor cannot.
pub fn stretch(masks: &[u64], bytes: &[u8], words: &mut [u64]) -> Option<Option<usize>> {
    // SAFETY: the processor has the instructions.
    is_there().then(|| unsafe { stretch_wide(masks, bytes, words) })
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn squeeze_wide(words: &[u64], masks: &mut [u64], bytes: &mut [u8]) -> usize {
    let (mut end, mut last) = (0, [0; 8]);
    let (groups, rest) = words.as_chunks::<8>();
    last[..rest.len()].copy_from_slice(rest);
    for (group, mask) in groups.iter().chain([&last]).zip(masks) {
        let out = bytes[end..].first_chunk_mut::<64>();
        let out = out.expect("there is room for 64 bytes more");
        // SAFETY: both pointers are to 64 bytes, of any alignment.
        unsafe {
            let group = _mm512_loadu_si512(group.as_ptr().cast());
            *mask = _mm512_test_epi8_mask(group, group);
            let closed = _mm512_maskz_compress_epi8(*mask, group);
            _mm512_storeu_si512(out.as_mut_ptr().cast(), closed);
        }
        end += mask.count_ones() as usize;
    }
    end
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
fn stretch_wide(masks: &[u64], bytes: &[u8], words: &mut [u64]) -> Option<usize> {
    let (mut at, mut last) = (0, [0; 8]);
    let (groups, rest) = words.as_chunks_mut::<8>();
    for (group, mask) in groups.iter_mut().chain([&mut last]).zip(masks) {
        let closed = bytes.get(at..)?.first_chunk::<64>()?;
        // SAFETY: both pointers are to 64 bytes, of any alignment.
        unsafe {
            let closed = _mm512_loadu_si512(closed.as_ptr().cast());
            let open = _mm512_maskz_expand_epi8(*mask, closed);
            _mm512_storeu_si512(group.as_mut_ptr().cast(), open);
        }
        at += mask.count_ones() as usize;
    }
    rest.copy_from_slice(&last[..rest.len()]);
    Some(at)
}
