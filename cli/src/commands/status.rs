//! The result of a command that ran to its end.

/// The result of a command that ran to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    /// Yes: exit code 0.
    #[default]
    Yes,
    /// A negative answer, such as an unsolvable board: 1.
    No,
    /// Some of the input was bad and the rest was answered: 2.
    BadInput,
}

impl From<bool> for Status {
    /// Yes or No.
    fn from(yes: bool) -> Status {
        if yes { Status::Yes } else { Status::No }
    }
}

impl Status {
    /// The status of two parts together: bad input before a negative answer before yes.
    pub(super) fn and(self, other: Status) -> Status {
        match (self, other) {
            (Status::BadInput, _) | (_, Status::BadInput) => Status::BadInput,
            (Status::No, _) | (_, Status::No) => Status::No,
            (Status::Yes, Status::Yes) => Status::Yes,
        }
    }
}
